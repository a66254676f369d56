#include "library/inside.h"

namespace caprock {
inline namespace v1 {

std::vector<Device> devices() {
    return translated([] {
        std::vector<Device> all;
        for (const DeviceDescription& found : list_devices())
            all.push_back({found.name, found.platform, found.gpu, found.memory});
        return all;
    });
}

std::string version() { return CAPROCK_VERSION; }

}  // namespace v1
}  // namespace caprock
