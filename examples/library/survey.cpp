// A survey with holes in it becomes land: read, filled, worn a little, written, and kept as a recipe that the `caprock` command
// repeats. And a preset at another size, for those who have no survey.
//
//     survey dem.tif out.tif out.json
#include <caprock/caprock.h>
#include <cstdio>
#include <fstream>

using namespace caprock;

int main(int count, char** words) {
    try {
        if (count != 4) throw Error("takes the survey, the file to write and the recipe to write");
        const Land survey = read(words[1]);
        const Land land =
            survey | fill_holes() | thermal_erosion({.duration = 20}) | smooth({.radius = 12_m});

        const FieldStatistics before = survey.terrain().height().statistics();
        write(land, words[2], {},
              {.tell = [](const std::string& note) { std::printf("note: %s\n", note.c_str()); }});
        std::ofstream(words[3]) << land.recipe();
        const Field height = read(words[2]).terrain().height();
        std::printf("%lld of %lld cells were missing, height %s\n", static_cast<long long>(before.missing),
                    static_cast<long long>(before.cells), height.fingerprint().c_str());

        const Land mesa = preset("mesa").sized(200, 150, 20_m).seeded(3);
        std::printf("mesa height %s\n", mesa.terrain().height().fingerprint().c_str());
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "survey: %s\n", error.what());
        return 2;
    }
}
