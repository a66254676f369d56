// Ground that belongs to a game: its heights stay in the game's own memory, and only the land around the player is worn down.
// Takes a file of 256 x 256 floats (.r32), which stands for what the game has loaded.
#include <caprock/caprock.h>
#include <cstdio>
#include <vector>

using namespace caprock;

namespace {

constexpr int side = 256;
constexpr int stride = side + 8;  // the game keeps its rows apart

std::vector<float> loaded(const char* path) {
    std::vector<float> ground(size_t(stride) * side, 0.0f);
    std::FILE* file = std::fopen(path, "rb");
    if (!file) throw Error(std::string("cannot open ") + path);
    bool complete = true;
    for (int y = 0; y < side; y++)
        complete &= std::fread(&ground[size_t(y) * stride], sizeof(float), side, file) == side;
    std::fclose(file);
    if (!complete) throw Error(std::string(path) + " is too short");
    return ground;
}

}  // namespace

int main(int count, char** words) {
    try {
        if (count < 2) throw Error("takes a file of 256 x 256 floats");
        const std::vector<float> ground = loaded(words[1]);

        // Nothing is copied: the field reads the game's memory, and never writes it.
        Terrain terrain({.width = side, .height = side, .cell = 2_m});
        terrain.set("height", Field::over(ground.data(), side, side, stride));
        const Land worn = terrain | thermal_erosion({.steps = 40, .talus = 30_deg});

        // Around the player, and no more than that takes.
        const Rect around = Rect::at(96, 64, 64, 64);
        const Field near = worn.region(around, {.device = "cpu", .threads = 2}).height();
        float highest = near.row(around.top)[0];
        for (int y = around.top; y < around.bottom; y++)
            for (float height : near.row(y))
                if (!is_missing(height) && height > highest) highest = height;
        std::printf("near: %d x %d cells, up to %.2f m\n", near.width(), near.height(), double(highest));

        // Everything, with a bar; the cells are those that were there before.
        int bars = 0;
        const Field all = worn.terrain({.progress =
                                            [&](const Progress& progress) {
                                                if (int(progress.share * 10) > bars)
                                                    bars = int(progress.share * 10);
                                                return true;
                                            }})
                              .height();
        std::printf("all: %d tenths told, height %s\n", bars, all.fingerprint().c_str());
        if (all.cropped(around).fingerprint() != near.fingerprint())
            throw Error("the part is not that of the whole");

        // The player leaves: whoever returns false stops the work.
        try {
            (terrain | thermal_erosion({.steps = 100000})).terrain({.progress = [](const Progress& progress) {
                return progress.share < 0.001;
            }});
            throw Error("nobody stopped");
        } catch (const Cancelled&) {
            std::printf("stopped when it was asked to\n");
        }
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "game_ground: %s\n", error.what());
        return 2;
    }
}
