pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Templates as T

// One of a list of texts. A combo box by type, since until Qt 6.5 a control's own role counts and none that is set.
T.ComboBox {
    id: choice

    required property list<string> options
    property int chosen: 0
    property string prefix: ""
    property string hint: ""
    signal picked(int index)

    property bool opening: false

    model: options
    currentIndex: chosen
    displayText: (prefix !== "" ? prefix + " " : "") + (options[chosen] ?? "")
    implicitWidth: label.implicitWidth + leftPadding + rightPadding
    implicitHeight: Theme.controlHeight
    leftPadding: Theme.medium
    rightPadding: Theme.medium
    opacity: enabled ? 1 : 0.45
    font.pixelSize: Theme.controlSize
    hoverEnabled: true
    Accessible.role: Accessible.ComboBox
    Accessible.name: displayText
    Accessible.onPressAction: popup.open()
    Keys.onReturnPressed: event => openBy(event)
    Keys.onEnterPressed: event => openBy(event)
    // Released, the key takes what is chosen in the list: not in the one that it has just opened.
    Keys.onReleased: event => {
        event.accepted = opening && (event.key === Qt.Key_Return || event.key === Qt.Key_Enter);
        opening = opening && !event.accepted;
    }
    onActivated: index => {
        picked(index);
        // What was picked by hand has taken the place of the binding.
        currentIndex = Qt.binding(() => chosen);
    }

    function openBy(event: var): void {
        event.accepted = !popup.visible;
        opening = event.accepted;
        if (opening)
            popup.open();
    }

    contentItem: Text {
        id: label
        text: choice.displayText + " ▾"
        textFormat: Text.PlainText
        font: choice.font
        color: Theme.text
        horizontalAlignment: Text.AlignHCenter
        verticalAlignment: Text.AlignVCenter
        Accessible.ignored: true
    }
    background: ButtonBack {
        down: choice.pressed || choice.popup.visible
        hovered: choice.hovered
        atKeyboard: choice.visualFocus
    }

    delegate: T.ItemDelegate {
        id: entry

        required property string modelData
        required property int index

        width: ListView.view.width
        height: Theme.controlHeight
        hoverEnabled: true
        text: modelData
        highlighted: choice.highlightedIndex === index
        Accessible.role: Accessible.ListItem
        Accessible.name: modelData
        Accessible.onPressAction: entry.clicked()
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
            Accessible.ignored: true
        }
        background: Rectangle {
            radius: Theme.controlRadius - 2
            color: entry.hovered || entry.highlighted ? Theme.selection : "transparent"
        }
    }

    popup: T.Popup {
        y: choice.height + Theme.tiny
        width: Math.max(choice.width, list.widest + 2 * Theme.medium + 2 * Theme.tiny)
        height: list.contentHeight + 2 * Theme.tiny
        padding: Theme.tiny
        margins: Theme.small

        contentItem: ListView {
            id: list

            property real widest: 0

            model: choice.delegateModel
            currentIndex: choice.highlightedIndex
            boundsBehavior: Flickable.StopAtBounds
            clip: true
        }
        background: Rectangle {
            color: Theme.surface
            border.color: Theme.line
            radius: Theme.controlRadius
        }
    }

    Tip {
        text: choice.hint
        shown: choice.hovered && !choice.popup.visible
    }
}
