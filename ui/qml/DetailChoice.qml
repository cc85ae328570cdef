import QtQuick
import PopLens.Core

// How many tokens each picture of the next question may take.
Choice {
    id: choice

    required property AttachmentListModel attachments

    readonly property var budgets: [0, 64, 256, 1024, 4096]

    prefix: qsTr("Detail:")
    options: [qsTr("as the model is set"), qsTr("64 tokens"), qsTr("256 tokens"), qsTr("1,024 tokens"), qsTr("4,096 tokens")]
    chosen: Math.max(0, budgets.indexOf(attachments.maxTokens))
    hint: qsTr("How many tokens a picture may take: fewer are read sooner, and show less")
    onPicked: index => attachments.maxTokens = budgets[index]
}
