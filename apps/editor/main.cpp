#include "base/telling.h"
#include "version.h"
#include "window/main_window.h"

#include <QApplication>
#include <QSocketNotifier>
#include <QSurfaceFormat>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace {

constexpr const char* without_display =
    "caprock-editor: there is no display to open a window on.\n"
    "Without one, 'caprock render FILE -o picture.png' draws pictures, 'caprock run PROJECT.caprock -o FILE' "
    "computes\n"
    "documents, and 'caprock help' lists the rest.\n";

// Qt ends the program when no window can be opened; the user is told what can be done instead.
void handle_message(QtMsgType type, const QMessageLogContext&, const QString& message) {
    if (type == QtFatalMsg) {
        bool display = message.contains("platform plugin") || message.contains("display");
        caprock::tell(display ? without_display : qPrintable(message));
        std::_Exit(1);
    }
    if (type == QtCriticalMsg || qEnvironmentVariableIsSet("CAPROCK_QT_MESSAGES"))
        caprock::tell(qPrintable(message + "\n"));
}

// What was asked for is what is printed: where it cannot be, that is a failure.
int printed(const char* text) {
    caprock::say_text(text);
    int failure = caprock::flush_said();
    if (failure == 0) return 0;
    caprock::tell("caprock-editor: " + caprock::not_heard_text(failure) + "\n");
    return 1;
}

// A system that is shut down, or somebody at the terminal, asks the program to end: that is as if the window were closed,
// with the same question where something is not written. A signal may only write to a pipe.
int ending[2] = {-1, -1};

void want_end(int) {
    char one = 1;
    if (::write(ending[1], &one, 1) < 0) std::_Exit(1);
}

void close_on_signals(QWidget& window) {
    if (::pipe(ending) != 0) return;
    auto* notifier = new QSocketNotifier(ending[0], QSocketNotifier::Read, &window);
    QObject::connect(notifier, &QSocketNotifier::activated, &window, [&window] {
        char one;
        if (::read(ending[0], &one, 1) == 1) window.close();
    });
    for (int signal : {SIGTERM, SIGINT, SIGHUP}) std::signal(signal, want_end);
}

int usage() {
    return printed(
        "caprock-editor [FILE]\n"
        "  Opens the editor: on a project (.caprock), on elevation data as a new project, or on the start "
        "page.\n"
        "  --version   which version this is\n"
        "  --help      this page\n");
}

}  // namespace

int main(int argc, char** argv) {
    caprock::secure_standard_streams();
    QString file;
    for (int i = 1; i < argc; i++) {
        if (std::strcmp(argv[i], "--help") == 0 || std::strcmp(argv[i], "-h") == 0) return usage();
        if (std::strcmp(argv[i], "--version") == 0) return printed("caprock-editor " CAPROCK_VERSION "\n");
        // Options of Qt itself, such as -platform and its value, are left to it.
        if (argv[i][0] == '-') {
            i++;
        } else if (file.isEmpty()) {
            file = QString::fromLocal8Bit(argv[i]);
        }
    }
    if (!std::getenv("DISPLAY") && !std::getenv("WAYLAND_DISPLAY") && !std::getenv("QT_QPA_PLATFORM")) {
        caprock::tell(without_display);
        return 1;
    }
    qInstallMessageHandler(handle_message);
    QSurfaceFormat format;
    format.setVersion(4, 5);
    format.setProfile(QSurfaceFormat::CoreProfile);
    format.setSwapInterval(1);
    QSurfaceFormat::setDefaultFormat(format);
    QCoreApplication::setOrganizationName("Caprock");
    QCoreApplication::setApplicationName("Caprock");
    QCoreApplication::setApplicationVersion(CAPROCK_VERSION);
    QApplication application(argc, argv);
    caprock::editor::MainWindow window;
    window.show();
    close_on_signals(window);
    if (file.isEmpty())
        window.begin();
    else
        window.open_file(file);
    return QApplication::exec();
}
