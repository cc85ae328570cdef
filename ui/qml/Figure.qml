import QtQuick

// A large figure under its name.
Column {
    id: figure

    required property string name
    required property string value

    spacing: 2
    Accessible.role: Accessible.StaticText
    Accessible.name: name + ": " + value

    Words {
        secondary: true
        text: figure.name
        Accessible.ignored: true
    }
    Words {
        text: figure.value
        font.pixelSize: Theme.figureSize
        strong: true
        Accessible.ignored: true
    }
}
