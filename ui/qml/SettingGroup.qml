import QtQuick

// Settings that belong together, under their title.
Column {
    id: group

    required property string title
    property string detail: ""
    default property alias rows: list.data

    spacing: Theme.small
    Accessible.role: Accessible.Grouping
    Accessible.name: title

    Words {
        width: parent.width
        text: group.title
        font.pixelSize: Theme.titleSize
        strong: true
    }
    Words {
        width: parent.width
        visible: text !== ""
        secondary: true
        wrapMode: Text.Wrap
        text: group.detail
    }
    Rectangle {
        width: parent.width
        height: list.height + 2 * Theme.tiny
        radius: Theme.cardRadius
        color: Theme.surface
        border.color: Theme.line
        Column {
            id: list
            x: Theme.large
            y: Theme.tiny
            width: parent.width - 2 * x
        }
    }
}
