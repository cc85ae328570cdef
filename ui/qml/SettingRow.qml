import QtQuick

// A setting: its name and what it does at the left, its control at the right.
Item {
    id: row

    required property string name
    property string detail: ""
    default property alias control: place.data

    implicitHeight: Math.max(words.height, place.height) + 2 * Theme.small

    Column {
        id: words
        anchors.verticalCenter: parent.verticalCenter
        width: parent.width - place.width - Theme.large
        spacing: 2
        Words {
            width: parent.width
            text: row.name
        }
        Words {
            width: parent.width
            visible: text !== ""
            secondary: true
            wrapMode: Text.Wrap
            text: row.detail
        }
    }
    Item {
        id: place
        anchors.right: parent.right
        anchors.verticalCenter: parent.verticalCenter
        width: childrenRect.width
        height: childrenRect.height
    }
}
