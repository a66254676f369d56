// A stroke while it is drawn, as a transaction: begun, extended with what the pen reports, and then finished, which is one
// entry of the history, or cancelled, and nothing has happened. The cells are the same whether a stroke comes sample by
// sample or all at once.
#pragma once

#include "document/document.h"
#include "painting/application.h"

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace caprock {

class LiveStroke {
  public:
    // The document stays as it is while the stroke is drawn: nobody else changes it. `seed` is what brushes draw from whose
    // seeds are of the stroke or the dab.
    LiveStroke(Document& document, const PaintTarget& target, Brush brush, uint32_t seed,
               RunContext& context);
    ~LiveStroke();
    LiveStroke(const LiveStroke&) = delete;
    LiveStroke& operator=(const LiveStroke&) = delete;

    // Returns the cells that may look different now. Throws Error, and Cancelled; the stroke is as it was then, or can only
    // be cancelled.
    Rect extend(std::span<const PenSample> samples);
    Rect extend(const PenSample& sample) { return extend({&sample, 1}); }
    // The document as it would be. Its new tiles are only in memory; those that are the same as in the preview before are
    // the very same tiles, and nobody looks at their cells again.
    Snapshot preview();
    // Tiles in which the last preview differs from the one before it, the first one from the document.
    const std::vector<TileIndex>& preview_changes() const { return preview_changes_; }
    // Returns the number of the change, as Document::change does; 0 where nothing changed.
    int64_t finish(const std::string& title = {});
    void cancel();

    int64_t dabs() const { return dabs_; }

  private:
    void begin(const PenSample& start);
    void again();
    void end();
    // A line between two samples moves as a whole, and is drawn anew, with its end, each time.
    bool moves() const { return brush_.settings.line != BrushSettings::Line::free; }
    void take(std::span<const PenSample> samples);
    enum class Ending { no, yes };
    void lay(std::vector<PathPlace> places, Ending ending = Ending::no);
    std::vector<PenSample> constrained() const;

    Document& document_;
    PaintTarget target_;
    Brush brush_;
    uint32_t seed_;
    RunContext& context_;
    Snapshot before_;
    std::vector<PenSample> samples_;
    std::unique_ptr<PaintSurface> surface_;
    std::unique_ptr<DabMaker> maker_;
    std::unique_ptr<StrokePath> path_;
    std::unique_ptr<Application> application_;
    Rect changed_;
    struct Shown {
        TilePointer tile;
        int64_t changes = 0;  // that the stroke's tile had seen
    };
    std::map<TileIndex, Shown> shown_;
    Snapshot preview_;
    std::vector<TileIndex> preview_changes_;
    int64_t dabs_ = 0;
    bool over_ = false;
};

}  // namespace caprock
