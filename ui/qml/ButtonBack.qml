import QtQuick

// What a button stands on, pressed, hovered or at rest.
Rectangle {
    property bool primary: false
    property bool flatLook: false
    property bool down: false
    property bool hovered: false
    property bool atKeyboard: false

    radius: Theme.controlRadius
    color: primary ? (down ? Qt.darker(Theme.accent, 1.15) : hovered ? Qt.lighter(Theme.accent, 1.08) : Theme.accent)
                   : down ? Theme.line : hovered ? Theme.sunken : flatLook ? "transparent" : Theme.surface
    border.width: primary || flatLook ? 0 : 1
    border.color: Theme.edge

    FocusFrame {
        visible: parent.atKeyboard
    }
}
