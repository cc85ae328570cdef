pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Templates as T

// A button that opens a list of texts, of which one is chosen.
PushButton {
    id: choice

    required property list<string> options
    property int chosen: 0
    property string prefix: ""
    signal picked(int index)

    text: (prefix !== "" ? prefix + " " : "") + (options[chosen] ?? "") + " ▾"
    hintWanted: hovered && !menu.opened
    Accessible.name: text.replace(" ▾", "")
    Accessible.role: chosen < 0 ? Accessible.ButtonMenu : Accessible.ComboBox
    onClicked: menu.opened ? menu.close() : menu.open()

    T.Popup {
        id: menu

        y: choice.height + Theme.tiny
        width: Math.max(choice.width, list.widest + 2 * Theme.medium + 2 * Theme.tiny)
        height: list.contentHeight + 2 * Theme.tiny
        padding: Theme.tiny
        margins: Theme.small
        focus: true
        closePolicy: T.Popup.CloseOnEscape | T.Popup.CloseOnPressOutsideParent
        onOpened: {
            list.currentIndex = choice.chosen;
            list.forceActiveFocus();
        }

        contentItem: ListView {
            id: list

            property real widest: 0

            model: choice.options
            keyNavigationEnabled: true
            boundsBehavior: Flickable.StopAtBounds
            Keys.onReturnPressed: take(currentIndex)
            Keys.onSpacePressed: take(currentIndex)

            function take(index: int): void {
                menu.close();
                choice.picked(index);
            }

            delegate: T.MenuItem {
                id: entry

                required property string modelData
                required property int index

                width: ListView.view.width
                height: Theme.controlHeight
                hoverEnabled: true
                text: modelData
                Accessible.role: Accessible.MenuItem
                Accessible.name: modelData
                onClicked: list.take(index)
                Accessible.onPressAction: list.take(index)
                Component.onCompleted: list.widest = Math.max(list.widest, words.implicitWidth)

                contentItem: Text {
                    id: words
                    leftPadding: Theme.medium
                    text: entry.modelData
                    textFormat: Text.PlainText
                    font.pixelSize: Theme.controlSize
                    font.weight: entry.index === choice.chosen ? Font.DemiBold : Font.Normal
                    color: Theme.text
                    verticalAlignment: Text.AlignVCenter
                }
                background: Rectangle {
                    radius: Theme.controlRadius - 2
                    color: entry.hovered || entry.ListView.isCurrentItem ? Theme.selection : "transparent"
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
