// What generators and runs have in common on the command line.
#pragma once

#include "document_source.h"
#include "files.h"
#include "operation/parameter.h"
#include "terminal.h"
#include "terrain/grid.h"

#include <string>
#include <vector>

namespace caprock::cli {

struct RunSettings {
    std::string size = "1024x1024";
    double cell = Grid().cell;
    Interval range = Grid().range;
    FileMeaning files;
    uint32_t seed = 1;
    std::string device = "auto";
    int threads = 0;
    std::string output;
    std::string save_recipe;
    bool timings = false;
    bool ledger = false;
    bool json = false;
    int snapshot_every = 0;
    std::string checkpoint;
    double checkpoint_every = 60;
    QuietSettings quiet;
    bool verbose = false;

    void describe(Declaration& d) {
        d.text("size", size)
            .help("cells of a new terrain or a raw file, WIDTHxHEIGHT or one number for a square");
        d.number("cell", cell).range(0.001, 1e6).unit("m").help("distance between cells");
        d.interval("range", range).unit("m").help("heights that 0 and 1 stand for");
        files.describe(d);
        d.seed("seed", seed).help("seed of every operation that was not given one of its own");
        d.text("device", device)
            .help("auto, cpu, gpu, opencl or part of a name that 'caprock devices' lists");
        d.integer("threads", threads).range(0, 1024).help("CPU threads; 0: as many as there are");
        d.file("output", output)
            .letter('o')
            .help("file to write, .tif or another that 'help convert' names; may be given several times");
        d.file("save-recipe", save_recipe)
            .help("write what was asked for as JSON, to be repeated by 'caprock run'");
        d.flag("timings", timings).help("print milliseconds, cells/s and device of each operation");
        d.flag("ledger", ledger)
            .help("print what simulations did with rock, sediment and water, and whether it adds up");
        d.flag("json", json).help("print the result's statistics, and the ledger, as JSON");
        d.integer("snapshot-every", snapshot_every)
            .range(0, 100000)
            .unit("steps")
            .help(
                "write frames of simulations beside the output: NAME-000100.tif, NAME-000200.tif ...; 0: "
                "none");
        d.file("checkpoint", checkpoint)
            .help(
                "keep what simulations have come to in this file: the same command goes on from there when "
                "it was stopped; gone when all is done");
        d.number("checkpoint-every", checkpoint_every)
            .range(0, 86400)
            .unit("s")
            .help("how often that is written");
        quiet.describe(d);
        d.flag("verbose", verbose).letter('v').help("say what is being done");
    }

    Loudness loudness() const { return !quiet.quiet && verbose ? Loudness::verbose : quiet.loudness(); }
};

// Of a chain.
struct ChainSettings {
    RunSettings run;
    MemorySettings memory;

    void describe(Declaration& d) {
        run.describe(d);
        memory.describe(d);
    }
};

// Of 'caprock run', which takes documents, too.
struct RunCommandSettings {
    RunSettings run;
    DocumentReading document;

    void describe(Declaration& d) {
        run.describe(d);
        document.describe_all(d);
    }
};

}  // namespace caprock::cli
