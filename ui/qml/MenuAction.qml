import QtQuick
import QtQuick.Templates as T

// One line of a menu. Its type, since until Qt 6.5 a control's own role counts and none that is set.
T.MenuItem {
    id: action

    implicitHeight: Theme.controlHeight
    leftPadding: Theme.medium
    rightPadding: Theme.medium
    hoverEnabled: true
    font.pixelSize: Theme.controlSize
    Accessible.role: Accessible.MenuItem
    Accessible.name: text
    Accessible.onPressAction: action.clicked()
    Keys.onReturnPressed: action.clicked()
    Keys.onEnterPressed: action.clicked()
    Keys.onDownPressed: nextItemInFocusChain(true).forceActiveFocus()
    Keys.onUpPressed: nextItemInFocusChain(false).forceActiveFocus()

    contentItem: Words {
        text: action.text
        Accessible.ignored: true
    }
    background: Rectangle {
        radius: Theme.controlRadius - 2
        color: action.hovered || action.activeFocus ? Theme.selection : "transparent"
    }
}
