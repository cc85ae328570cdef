import QtQuick

// A name at the left, its figure at the right.
Item {
    id: row

    required property string name
    required property string value
    property string aside: ""

    implicitHeight: 24
    Accessible.role: Accessible.StaticText
    Accessible.name: name + ": " + value + " " + aside

    Words {
        anchors.verticalCenter: parent.verticalCenter
        width: row.width - figure.width - Theme.small
        text: row.name
        color: Theme.secondary
        Accessible.ignored: true
    }
    Row {
        id: figure
        anchors.right: parent.right
        anchors.verticalCenter: parent.verticalCenter
        spacing: Theme.tiny
        Words {
            text: row.value
            strong: true
            Accessible.ignored: true
        }
        Words {
            visible: text !== ""
            text: row.aside
            color: Theme.secondary
            Accessible.ignored: true
        }
    }
}
