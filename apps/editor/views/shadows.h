// Light and shadow of the ground, made on a thread of its own: the last that was asked for is the next to be made.
#pragma once

#include "field/field.h"
#include "view/light_map.h"

#include <QObject>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

namespace caprock::editor {

// A light map and what it was made of.
struct ShadowMap {
    LightMap map;
    int coarser = 1;  // cells of the ground for one of the map's, each way
};
using ShadowMapPointer = std::shared_ptr<const ShadowMap>;

class Shadows : public QObject {
    Q_OBJECT

  public:
    explicit Shadows(QObject* parent = nullptr);
    ~Shadows() override;

    // The field is a copy of its own, of every `coarser`-th cell.
    void make(Field heights, double cell, int coarser, double exaggeration, const Sun& sun);

  Q_SIGNALS:
    void made(caprock::editor::ShadowMapPointer map);

  private:
    struct Request {
        Field heights;
        double cell = 1;
        int coarser = 1;
        double exaggeration = 1;
        Sun sun;
    };
    void work();

    std::mutex guard_;
    std::condition_variable changed_;
    std::optional<Request> next_;
    bool ending_ = false;
    std::thread thread_;
};

}  // namespace caprock::editor

Q_DECLARE_METATYPE(caprock::editor::ShadowMapPointer)
