// What an operation is: parameters and inputs to outputs, pure. docs/adding-an-operation.md walks through
// one.
#pragma once

#include "operation/parameter.h"
#include "operation/reach.h"
#include "operation/work.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace caprock {

class Operation {
  public:
    virtual ~Operation() = default;
    virtual std::string_view name() const = 0;
    virtual std::string_view room() const = 0;  // synthesis, erosion, shaping ...
    virtual int version() const = 0;            // of its parameters, for recipes
    virtual Declaration declare() = 0;          // bound to this operation's values
    virtual Reach reach(const Grid& grid) const = 0;
    virtual void run(Work& work) const = 0;
    virtual std::unique_ptr<Operation> clone() const = 0;
};

// ---- the registry ----------------------------------------------------------------------------------------

std::vector<std::string> operation_names();  // by room, then by name
// Throws Error with the nearest name where there is none.
std::unique_ptr<Operation> make_operation(std::string_view name);
bool is_operation(std::string_view name);

// An operation as a plain struct: members with defaults, and
//     void describe(Declaration& d);          declares them, and what is read and made
//     Reach reach(const Grid& grid) const;
//     void run(Work& work) const;
//     static constexpr int version = 2;       once its parameters have changed meaning
template <typename Struct>
class OperationOf final : public Operation {
  public:
    OperationOf(std::string_view name, std::string_view room) : name_(name), room_(room) {}

    std::string_view name() const override { return name_; }
    std::string_view room() const override { return room_; }
    int version() const override {
        if constexpr (requires { Struct::version; }) return Struct::version;
        return 1;
    }
    Declaration declare() override {
        Declaration declaration;
        values_.describe(declaration);
        return declaration;
    }
    Reach reach(const Grid& grid) const override { return values_.reach(grid); }
    void run(Work& work) const override { values_.run(work); }
    std::unique_ptr<Operation> clone() const override { return std::make_unique<OperationOf>(*this); }

  private:
    std::string_view name_;
    std::string_view room_;
    Struct values_;
};

class OperationRegistration {
  public:
    OperationRegistration(std::string_view name, std::string_view room,
                          std::unique_ptr<Operation> (*make)(std::string_view, std::string_view));
};

// The build takes in every file under src/operations, and with it this line.
#define REGISTER_OPERATION(name, room, Struct)                                                            \
    static const ::caprock::OperationRegistration registration_of_##Struct(                               \
        name, room, [](std::string_view n, std::string_view r) -> std::unique_ptr<::caprock::Operation> { \
            return std::make_unique<::caprock::OperationOf<Struct>>(n, r);                                \
        })

}  // namespace caprock
