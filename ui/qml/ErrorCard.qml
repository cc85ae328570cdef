import QtQuick

// Why there is no answer, and one thing to do about it.
Rectangle {
    id: card

    required property string reason
    required property string advice
    signal retried

    implicitHeight: content.height + 2 * Theme.medium
    radius: Theme.cardRadius
    color: Theme.surface
    border.color: Theme.error
    Accessible.role: Accessible.AlertMessage
    Accessible.name: reason + " " + advice

    Column {
        id: content
        x: Theme.medium
        y: Theme.medium
        width: parent.width - 2 * Theme.medium
        spacing: Theme.tiny

        Words {
            width: parent.width
            text: qsTr("No answer")
            strong: true
            color: Theme.error
        }
        Words {
            width: parent.width
            text: card.reason
            wrapMode: Text.Wrap
        }
        Words {
            width: parent.width
            text: card.advice
            color: Theme.secondary
            wrapMode: Text.Wrap
        }
        PushButton {
            text: qsTr("Try again")
            onClicked: card.retried()
        }
    }
}
