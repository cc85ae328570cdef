pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Layouts
import PopLens.Core

// The pictures that go with the next question, and the budget that they share.
Column {
    id: strip

    required property AttachmentListModel attachments
    required property AheadWork ahead
    signal pictureOpened(var picture)

    function status(tokens: int): string {
        const count = Format.tokens(tokens);
        if (ahead.running)
            return qsTr("%1 · encoding while you type … %2 %").arg(count).arg(ahead.percent);
        return ahead.done ? qsTr("%1 · read already").arg(count) : count;
    }

    readonly property var budgets: [0, 64, 256, 1024, 4096]
    spacing: Theme.small
    visible: attachments.count > 0

    Repeater {
        model: strip.attachments
        delegate: RowLayout {
            id: row
            required property var picture
            required property string reason
            required property bool measured
            required property int index

            width: strip.width
            spacing: Theme.small

            PictureThumb {
                Layout.preferredWidth: 72
                Layout.preferredHeight: 54
                picture: row.picture
                onOpened: strip.pictureOpened(row.picture)
            }
            Column {
                Layout.fillWidth: true
                spacing: 2

                Row {
                    width: parent.width
                    spacing: Theme.tiny
                    Words {
                        width: Math.min(implicitWidth, parent.width * 0.5)
                        text: row.picture.name
                        font.pixelSize: Theme.secondarySize
                    }
                    Words {
                        visible: row.measured && row.reason === ""
                        secondary: true
                        text: qsTr("%1 → %2").arg(Format.size(row.picture.size)).arg(Format.size(row.picture.modelSize))
                    }
                }
                Words {
                    width: parent.width
                    secondary: true
                    wrapMode: Text.Wrap
                    color: row.reason !== "" ? Theme.error : Theme.secondary
                    text: row.reason !== "" ? row.reason : row.measured ? strip.status(row.picture.tokens) : qsTr("reading …")
                }
            }
            Choice {
                visible: row.index === 0
                prefix: qsTr("Detail:")
                options: [qsTr("as the model is set"), qsTr("64 tokens"), qsTr("256 tokens"), qsTr("1,024 tokens"), qsTr("4,096 tokens")]
                chosen: Math.max(0, strip.budgets.indexOf(strip.attachments.maxTokens))
                hint: qsTr("How many tokens a picture may take: fewer are read sooner, and show less")
                onPicked: index => strip.attachments.maxTokens = strip.budgets[index]
            }
            PushButton {
                flatLook: true
                iconPath: "M6 6 L18 18 M18 6 L6 18"
                hint: qsTr("Remove picture %1").arg(row.picture.name)
                onClicked: strip.attachments.remove(row.index)
            }
        }
    }
}
