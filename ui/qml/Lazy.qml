import QtQuick

// Makes what is written in it while it is active, beside itself. What a Loader does, but typed throughout: before Qt 6.5
// a Loader cannot make components that are bound to the file they stand in.
Repeater {
    property bool active: true

    model: active ? 1 : 0
}
