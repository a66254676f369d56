// Documents from the command line: whatever is wrong is said in one line, and nothing has changed.
#include "cli/command_line.h"
#include "support/places.h"

#include <sys/file.h>
#include <sys/resource.h>

using namespace caprock::test;

namespace {

class DocumentRefusals : public CommandLine {
  protected:
    void SetUp() override {
        done("document new a.caprock --size 64 --cell 10 --no-ground");
        done("document add a.caprock noise --name Hills --no-thumbnail");
        done("document add a.caprock noise --kind ridged --name Ridges --mode max --no-thumbnail");
        done("document add a.caprock thermal-erosion --steps 2 --name Weathering");
        before_ = done("document export-layers a.caprock");
    }
    void TearDown() override { EXPECT_EQ(done("document export-layers a.caprock"), before_); }

    std::string before_;
};

}  // namespace

TEST_F(DocumentRefusals, Commands) {
    refused("document", {"caprock help document"});
    refused("document lst a.caprock", {"'lst'", "did you mean 'list'?"});
    refused("document frobnicate a.caprock", {"'frobnicate'", "caprock help document"});
    refused("document a.caprock add noise", {"comes before the project", "caprock document add a.caprock"});
    refused("document a.caprock", {"caprock document list a.caprock"});
    refused("documents list", {"'documents'", "'document'"});
    refused("help document ad", {"'ad'", "'add'"});
    refused("document help ad", {"'ad'", "'add'"});
    refused("help document add noise", {"one command"});
}

TEST_F(DocumentRefusals, WordsThatAreMissingOrTooMany) {
    refused("document list", {"document list: must be: caprock document list P.caprock"});
    refused("document list a.caprock b.caprock", {"document list: must be"});
    refused("document show a.caprock", {"P.caprock LAYER"});
    refused("document add", {"document add: must be", "P.caprock OPERATION"});
    refused("document add a.caprock", {"document add: must be"});
    refused("document add a.caprock --name x", {"document add: must be"});
    refused("document add a.caprock then noise", {"document add: must be"});
    refused("document set a.caprock", {"document set: must be"});
    refused("document set a.caprock Hills", {"nothing to set"});
    refused("document mask a.caprock", {"document mask: must be"});
    refused("document mask a.caprock Hills", {"operations, --painted VALUE or --none"});
    refused("document mask a.caprock Hills mask-slope --none", {"one of them"});
    refused("document mask a.caprock Hills --none --painted 1", {"one of them"});
    refused("document remove a.caprock", {"document remove: must be"});
    refused("document move a.caprock Hills", {"--above", "--inside", "--bottom", "--top"});
    refused("document move a.caprock Hills --top --bottom", {"--above", "--top"});
    refused("document move a.caprock Hills --above Ridges --bottom", {"--above", "--bottom"});
    refused("document import a.caprock", {"document import: must be"});
    refused("document save-as a.caprock", {"document save-as: must be"});
    refused("document resize a.caprock", {"--size"});
    refused("document resample a.caprock", {"--cell"});
    refused("document crop a.caprock --at 3,4", {"--at takes --size"});
    refused("document range a.caprock", {"LOW:HIGH"});
    refused("document undo a.caprock 1 2", {"document undo: must be"});
    refused("document collapse a.caprock", {"document collapse: must be"});
}

TEST_F(DocumentRefusals, UnknownNames) {
    refused("document add a.caprock nois", {"'nois'", "did you mean 'noise'?"});
    refused("document add a.caprock ridge", {"'ridge'", "'ridges'"});
    refused("document add a.caprock group", {"caprock document group"});
    refused("document add a.caprock noise then nomalise", {"'nomalise'", "'normalise'"});
    refused("document add a.caprock noise then", {"'then'", "followed by an operation"});
    refused("document add a.caprock noise --octave 3", {"noise", "'--octave'", "'--octaves'"});
    refused("document add a.caprock noise --opacty 3", {"'--opacty'", "'--opacity'"});
    refused("document add a.caprock noise --above Hils", {"no layer 'Hils'", "'Hills'"});
    refused("document add a.caprock noise --inside Hills", {"layer 1 (Hills) is no group"});
    refused("document add a.caprock noise extra", {"'extra' is not expected"});
    refused("document add a.caprock painted extra", {"document add: must be"});
    refused("document add a.caprock painted --range 0:1", {"'--range'"});
    refused("document add a.caprock missing.json", {"cannot read 'missing.json'", "no such file"});
    refused("document mask a.caprock Hills mask-slop", {"'mask-slop'", "'mask-slope'"});
    refused("document mask a.caprock Hills hills", {"no operation 'hills'"});
    refused("document operations a.caprock Hills nois", {"'nois'", "'noise'"});
    refused("document operations a.caprock Hills --seed 3", {"document operations: must be"});
    refused("document set a.caprock Hills --octave 3", {"layer 1 (Hills)", "'--octave'", "'--octaves'"});
    refused("document set a.caprock Hills --steps 3", {"no setting '--steps'"});
    refused("document set a.caprock Hills --mask.between 0:3", {"no setting '--mask.between'"});
    refused("document set a.caprock Hills opacity 3", {"'opacity'", "begin with --"});
    refused("document set a.caprock Hills --opacity", {"--opacity needs a value", "0 to 1"});
    refused("document set a.caprock Hill --opacity 1", {"no layer 'Hill'", "'Hills'"});
    refused("document list a.caprock --jsn", {"document list", "'--jsn'", "'--json'"});
    refused("document compact a.caprock --forget", {"'--forget'", "document compact"});
}

TEST_F(DocumentRefusals, ValuesOutOfRange) {
    refused("document add a.caprock noise --octaves 99", {"noise", "octaves 99", "1 to 32"});
    refused("document add a.caprock noise --opacity 2", {"opacity 2", "0 to 1"});
    refused("document add a.caprock noise --mode lrp", {"mode", "lrp", "'lerp'"});
    refused("document add a.caprock noise --move 3", {"move", "two numbers"});
    refused("document add a.caprock noise --range 5:1", {"range"});
    refused("document add a.caprock smooth --move 3,4", {"adjustment cannot be placed"});
    refused("document set a.caprock Hills --mode lrp", {"lrp", "'lerp'"});
    refused("document set a.caprock Hills --octaves 99", {"octaves 99", "1 to 32"});
    refused("document set a.caprock Hills --visible=perhaps", {"perhaps", "true or false"});
    refused("document set a.caprock Weathering --rotate 30", {"adjustment cannot be placed"});
    refused("document mask a.caprock Hills --painted 2", {"painted 2", "0 to 1"});
    refused("document crop a.caprock --size 65", {"inside the document's cells", "63,63"});
    refused("document crop a.caprock --size 8 --at 1.5,2", {"at 1.5,2", "whole cells"});
    refused("document crop a.caprock --size 8 --at 1", {"at 1:", "X,Y"});
    refused("document resize a.caprock --size 0", {"size 0", "1 to 65536"});
    refused("document resample a.caprock --cell 0", {"cell"});
    refused("document resample a.caprock --cell 0.001", {"65536"});
    refused("document range a.caprock 5", {"'5'", "LOW:HIGH"});
    refused("document range a.caprock 5:2", {"5:2", "below"});
    refused("document undo a.caprock 0", {"'0'", "1 or more"});
    refused("document undo a.caprock x", {"'x'", "how many steps"});
    refused("document undo a.caprock 4", {"3 steps can be undone"});
    refused("document redo a.caprock", {"nothing to redo"});
    for (const char* memory : {"2", "2X", "-1G", "15M"})
        refused("document list a.caprock --memory=" + std::string(memory), {"memory", "512M or 2G"});
}

TEST_F(DocumentRefusals, OperationsThatCannotRun) {
    write_text(folder_ / "rocks.txt", "0.1\n0.9\n");
    for (const char* line :
         {"document add a.caprock hardness --table-file rocks.txt",
          "document operations a.caprock Hills noise then hardness --table-file rocks.txt"})
        refused(line, {"hardness", "'rocks.txt'", "not JSON"});
    refused("document add a.caprock hardness --table 0.1,0.2 --minerals talc",
            {"hardness", "table", "minerals"});
}

TEST_F(DocumentRefusals, WhatCannotBeDone) {
    refused("document move a.caprock Hills --above Hills", {"into itself"});
    refused("document ungroup a.caprock Hills", {"layer 1 (Hills) is no group"});
    refused("document merge a.caprock Hills", {"layer 1 (Hills)", "none below"});
    refused("document collapse a.caprock Hills Weathering", {"next to each other"});
    refused("document group a.caprock Hills Hills", {"twice"});
    refused("document operations a.caprock 17 noise", {"no layer '17'", "1 (Hills)"});
    refused("document rasterise a.caprock Hills --device fpga", {"'fpga'"});
}

TEST_F(DocumentRefusals, Files) {
    refused("document list b.caprock", {"'b.caprock'", "no such file"});
    refused("document set b.caprock 1 --opacity 1", {"'b.caprock'", "no such file"});
    refused("run b.caprock -o c.tif", {"'b.caprock'", "no such file"});
    refused("info b.caprock", {"'b.caprock'", "no such file"});
    refused("render b.caprock -o c.png", {"'b.caprock'", "no such file"});
    refused("document new a.caprock", {"'a.caprock'", "already there"});
    refused("document new b.tif", {"'b.tif'", ".caprock"});
    refused("document new nowhere/b.caprock", {"'nowhere' does not exist"});
    refused("document new b.caprock --size 0", {"size 0"});
    refused("document new b.caprock --range 5:5", {"5:5", "below"});
    refused("document new b.caprock --from missing.tif", {"'missing.tif'", "no such file"});
    refused("document new b.caprock --from missing.json", {"'missing.json'", "no such file"});
    refused("document new b.caprock --as frontier", {"--as is for --from"});
    refused("document import a.caprock missing.tif", {"'missing.tif'", "no such file"});
    refused("document import-layers a.caprock missing.json", {"'missing.json'", "no such file"});
    refused("document export-layers a.caprock -o a.txt", {"'a.txt'", ".json"});
    refused("document thumbnail a.caprock -o a.jpg", {"'a.jpg'", ".png"});
    refused("document save-as a.caprock b.tif", {"'b.tif'", ".caprock"});
    refused("document save-as a.caprock a.caprock", {"the project itself"});
    write_text(folder_ / "odd.json", "{\"layers\": 3}");
    refused("document import-layers a.caprock odd.json", {"'odd.json'"});
    refused("document new b.caprock --from odd.json", {"'odd.json'"});
    done("noise --size 8 -o h.tif");
    refused("document new b.caprock --from h.tif --size 9", {"--size", "'h.tif' has its own"});
    write_text(folder_ / "empty.caprock", "");
    refused("document list empty.caprock", {"'empty.caprock'", "no project"});
    write_text(folder_ / "text.caprock", std::string(5000, 'x'));
    refused("document list text.caprock", {"'text.caprock'"});
    refused("run text.caprock -o c.tif", {"'text.caprock'"});
    std::filesystem::create_directory(folder_ / "folder.caprock");
    refused("document list folder.caprock", {"'folder.caprock'", "folder"});
}

TEST_F(DocumentRefusals, OptionsOfOtherFiles) {
    refused("run a.caprock --seed 3", {"--seed is for recipes", "'a.caprock'"});
    refused("run a.caprock --size 8", {"--size is for recipes"});
    refused("run a.caprock --field hardnes", {"no field 'hardnes'", "height"});
    refused("run a.caprock -o b.xyzzy", {"'b.xyzzy'", ".tif"});
    refused("run a.caprock -o b.hgt", {"b.hgt"});
    refused("noise --size 8 -o b.caprock", {"'b.caprock'", "caprock document new b.caprock --from FILE"});
    refused("run a.caprock --level 99", {"level 99", "0 to 16"});
    refused("run hills --level 2", {"--level is for documents"});
    refused("convert a.tif b.tif --memory 2G", {"--memory is for documents"});
    refused("info a.caprock --cell 3", {"'a.caprock'", "knows its grid"});
    refused("a.caprock then smooth --cell 3", {"--cell is not for documents"});
    refused("render a.caprock:hardness -o b.png", {"hardness"});
}

TEST_F(DocumentRefusals, AFileThatWasCutOff) {
    std::string whole = file_text(folder_ / "a.caprock");
    write_text(folder_ / "cut.caprock", whole.substr(0, whole.size() / 2));
    Outcome outcome = caprock("document set cut.caprock Hills --opacity 0.5");
    EXPECT_EQ(outcome.code, 2);
    EXPECT_TRUE(contains(outcome.err, "cut.caprock")) << outcome.err;
}

// Who wants no notes is told all the same that there is less in the file than there was.
TEST_F(DocumentRefusals, WhatIsLostIsToldToTheQuietToo) {
    done("document new b.caprock --size 512 --cell 4");
    for (const char* stroke : {"300,300 900,400", "600,300 900,800", "900,300 900,1200"})
        done("paint b.caprock --brush raise --stroke \"" + std::string(stroke) + "\" --quiet");
    done("run b.caprock -o whole.tif --quiet");
    const std::string bytes = file_text(folder_ / "b.caprock");
    const std::string whole = fingerprint_of("whole.tif");
    int told = 0;
    for (size_t block = 0; block < bytes.size(); block += 16384) {
        std::string damaged = bytes;
        std::fill_n(damaged.begin() + ptrdiff_t(block), std::min<size_t>(16384, bytes.size() - block), '\0');
        write_text(folder_ / "c.caprock", damaged);
        Outcome outcome = caprock("run c.caprock -o c.tif --quiet");
        if (outcome.code == 0 && fingerprint_of("c.tif") == whole) continue;
        EXPECT_TRUE(contains(outcome.err, "c.caprock")) << "block at " << block << "\n" << outcome.err;
        told++;
    }
    EXPECT_GE(told, 3);
}

TEST_F(DocumentRefusals, AFileThatSomebodyElseWrites) {
    int file = open((folder_ / "a.caprock").c_str(), O_RDWR);
    ASSERT_EQ(flock(file, LOCK_EX), 0);
    refused("document set a.caprock Hills --opacity 0.5", {"open for writing in another program"});
    // It may be looked at, and computed.
    EXPECT_EQ(caprock("document list a.caprock").code, 0);
    EXPECT_EQ(caprock("document save-as a.caprock b.caprock").code, 0);
    EXPECT_EQ(caprock("run a.caprock -o b.tif").code, 0);
    close(file);
}

// A file may not grow: what is not on disk is not called done.
TEST_F(DocumentRefusals, AFullDisk) {
    std::string script =
        "ulimit -f 400; exec \"$CAPROCK\" document new b.caprock --size 1024 --from \"$1\" --no-thumbnail";
    done("noise --size 1024 --octaves 3 -o h.r32");
    Outcome outcome = run_program({.program = "bash",
                                   .arguments = {"-c", script, "bash", "h.r32"},
                                   .environment = {{"CAPROCK", caprock::test::caprock_program}},
                                   .folder = folder_.path()});
    EXPECT_EQ(outcome.code, 2) << outcome.out << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "b.caprock")) << outcome.err;
    EXPECT_FALSE(folder_.names().contains("b.caprock"));
}
