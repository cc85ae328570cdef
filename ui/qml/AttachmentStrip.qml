pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Controls.Basic
import QtQuick.Layouts
import PopLens.Core

// The pictures that go with the next question, and the budget that they share.
Column {
    id: strip

    required property AttachmentListModel attachments
    required property AheadWork ahead
    // More than fits is scrolled.
    property real mostHeight: 240
    signal pictureOpened(var picture)
    // What had the keys has gone.
    signal removed

    // The budget stands over the pictures where it has no room beside them.
    readonly property bool several: attachments.count > 1
    readonly property bool narrow: width < 480
    readonly property bool headed: several || narrow
    spacing: Theme.small
    visible: attachments.count > 0

    // By a function of the strip's: the row is gone before its own handler ends.
    function removeRow(index: int): void {
        attachments.remove(index);
        removed();
    }
    function status(tokens: int): string {
        const count = Format.tokens(tokens);
        if (ahead.running)
            return qsTr("%1 · encoding while you type … %2 %").arg(count).arg(ahead.percent);
        return ahead.done ? qsTr("%1 · read already").arg(count) : count;
    }

    GridLayout {
        width: parent.width
        visible: strip.headed
        columns: strip.narrow ? 2 : 3
        columnSpacing: Theme.small
        rowSpacing: Theme.tiny

        Words {
            Layout.fillWidth: true
            Layout.columnSpan: strip.narrow ? 2 : 1
            visible: strip.several
            text: strip.attachments.refused > 0 ? qsTr("%1 of %2 pictures cannot be sent").arg(Format.integer(strip.attachments.refused)).arg(Format.integer(strip.attachments.count))
                                                : qsTr("%1 pictures").arg(Format.integer(strip.attachments.count))
            color: strip.attachments.refused > 0 ? Theme.error : Theme.text
            strong: true
        }
        DetailChoice {
            attachments: strip.attachments
        }
        PushButton {
            visible: strip.several
            flatLook: true
            text: qsTr("Remove all")
            onClicked: {
                strip.attachments.clear();
                strip.removed();
            }
        }
    }

    Flickable {
        id: scroll
        width: parent.width
        height: Math.min(rows.height, strip.mostHeight)
        contentHeight: rows.height
        boundsBehavior: Flickable.StopAtBounds
        clip: true
        ScrollBar.vertical: ScrollBar {}

        // What the keyboard moves to is brought into sight.
        function reveal(item: Item): void {
            const y = item.mapToItem(rows, 0, 0).y;
            contentY = Math.max(0, Math.min(Math.max(y + item.height - height, Math.min(contentY, y)), contentHeight - height));
        }

        Column {
            id: rows
            width: parent.width
            spacing: Theme.small

            Repeater {
                model: strip.attachments
                delegate: RowLayout {
                    id: row
                    required property var picture
                    required property string reason
                    required property bool measured
                    required property int index

                    width: rows.width - (scroll.contentHeight > scroll.height ? Theme.medium : 0)
                    spacing: Theme.small

                    PictureThumb {
                        Layout.preferredWidth: 72
                        Layout.preferredHeight: 54
                        picture: row.picture
                        readable: row.measured && row.reason === ""
                        onOpened: strip.pictureOpened(row.picture)
                        onActiveFocusChanged: if (activeFocus) scroll.reveal(row)
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
                    DetailChoice {
                        attachments: strip.attachments
                        visible: !strip.headed
                    }
                    PushButton {
                        flatLook: true
                        iconPath: "M6 6 L18 18 M18 6 L6 18"
                        hint: qsTr("Remove picture %1").arg(row.picture.name)
                        onClicked: strip.removeRow(row.index)
                        onActiveFocusChanged: if (activeFocus) scroll.reveal(row)
                    }
                }
            }
        }
    }
}
