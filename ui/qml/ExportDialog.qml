import QtQuick
import QtQuick.Dialogs
import PopLens.Core

// Where an exported conversation goes, and as what.
FileDialog {
    id: dialog
    objectName: "exportDialog"

    required property ConversationExporter exporter
    property string conversation
    property bool asJson: false

    readonly property string ending: asJson ? "json" : "md"

    function ask(which: string, json: bool): void {
        conversation = which;
        asJson = json;
        selectedFile = currentFolder + "/" + encodeURIComponent(exporter.suggestedName(which)) + "." + ending;
        open();
    }

    title: qsTr("Export the conversation")
    fileMode: FileDialog.SaveFile
    defaultSuffix: ending
    nameFilters: asJson ? [qsTr("JSON with all figures (*.json)"), qsTr("Markdown with pictures (*.md)")]
                        : [qsTr("Markdown with pictures (*.md)"), qsTr("JSON with all figures (*.json)")]
    onAccepted: exporter.exportTo(conversation, selectedFile)
}
