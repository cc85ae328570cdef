pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Templates as T

// A button that opens a menu of things to do.
PushButton {
    id: button

    required property list<string> actions
    signal picked(int index)

    hintWanted: hovered && !menu.opened
    onClicked: menu.opened ? menu.close() : menu.open()

    T.Popup {
        id: menu

        y: button.height + Theme.tiny
        x: button.width - width
        padding: Theme.tiny
        margins: Theme.small
        focus: true
        closePolicy: T.Popup.CloseOnEscape | T.Popup.CloseOnPressOutsideParent
        onOpened: lines.children[0].forceActiveFocus()

        contentItem: Column {
            id: lines

            Repeater {
                model: button.actions
                delegate: MenuAction {
                    required property string modelData
                    required property int index

                    width: Math.max(implicitWidth, button.width - 2 * Theme.tiny)
                    text: modelData
                    onClicked: {
                        menu.close();
                        button.picked(index);
                    }
                }
            }
        }
        background: Rectangle {
            color: Theme.surface
            border.color: Theme.line
            radius: Theme.controlRadius
        }
    }
}
