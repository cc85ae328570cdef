import QtQuick
import QtQuick.Templates as T

// A question in the middle of the window: one thing to do, or not.
T.Popup {
    id: question

    property string title
    property string detail
    property string acceptText
    signal accepted

    default property alias extra: more.data

    parent: T.Overlay.overlay
    anchors.centerIn: parent
    width: Math.min(420, parent ? parent.width - 2 * Theme.large : 420)
    padding: Theme.large
    modal: true
    focus: true
    onOpened: acceptButton.forceActiveFocus()

    function accept(): void {
        close();
        accepted();
    }

    contentItem: Column {
        spacing: Theme.medium
        Accessible.role: Accessible.Dialog
        Accessible.name: question.title

        Words {
            width: parent.width
            text: question.title
            font.pixelSize: Theme.titleSize
            strong: true
            wrapMode: Text.Wrap
        }
        Words {
            width: parent.width
            visible: text !== ""
            text: question.detail
            color: Theme.secondary
            wrapMode: Text.WrapAnywhere
        }
        Item {
            id: more
            width: parent.width
            height: childrenRect.height
            visible: children.length > 0
        }
        Row {
            anchors.right: parent.right
            spacing: Theme.small
            PushButton {
                text: qsTr("Cancel")
                onClicked: question.close()
            }
            PushButton {
                id: acceptButton
                primary: true
                text: question.acceptText
                onClicked: question.accept()
            }
        }
    }
    background: Rectangle {
        color: Theme.surface
        border.color: Theme.line
        radius: Theme.cardRadius
    }
    T.Overlay.modal: Rectangle {
        color: Theme.dark ? "#99000000" : "#661C1D1F"
    }
}
