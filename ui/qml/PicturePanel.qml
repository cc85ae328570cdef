import QtQuick
import PopLens.Core

// The picture that is attached: what it is, and what the model will see of it.
Column {
    id: panel

    required property AttachmentListModel attachments
    readonly property var picture: attachments.count > 0 ? first(attachments.ready) : null

    // Read anew when it has been measured.
    function first(ready: bool): var {
        return attachments.pictureAt(0);
    }

    visible: picture !== null && picture.tokens > 0
    topPadding: Theme.small

    Words {
        height: 28
        text: qsTr("Picture")
        strong: true
    }
    PanelRow {
        width: parent.width
        name: qsTr("Original")
        value: panel.picture ? Format.size(panel.picture.size) : ""
    }
    PanelRow {
        width: parent.width
        name: qsTr("Seen by the model")
        value: panel.picture ? Format.size(panel.picture.modelSize) : ""
    }
    PanelRow {
        width: parent.width
        name: qsTr("Tokens")
        value: panel.picture ? Format.integer(panel.picture.tokens) : ""
    }
}
