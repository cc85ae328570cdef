<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="es" sourcelanguage="en">
<context>
    <name>AnswerMessage</name>
    <message>
        <source>The answer is empty: the model ended it at once.</source>
        <translation>La respuesta está vacía: el modelo la terminó enseguida.</translation>
    </message>
    <message>
        <source>Stopped before the first token.</source>
        <translation>Parada antes del primer token.</translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>Parada.</translation>
    </message>
    <message>
        <source>to first token</source>
        <translation>hasta el primer token</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Copiar</translation>
    </message>
    <message>
        <source>Regenerate</source>
        <translation>Regenerar</translation>
    </message>
    <message>
        <source>Compare with full</source>
        <translation>Comparar con el completo</translation>
    </message>
    <message>
        <source>Compare with POP</source>
        <translation>Comparar con POP</translation>
    </message>
    <message>
        <source>%1 from the cache</source>
        <translation>%1 de la caché</translation>
    </message>
    <message>
        <source>picture features from the cache</source>
        <translation>rasgos de la imagen de la caché</translation>
    </message>
    <message>
        <source>%1 done while you typed</source>
        <translation>%1 hechos mientras escribías</translation>
    </message>
</context>
<context>
    <name>AttachmentStrip</name>
    <message>
        <source>%1 · encoding while you type … %2 %</source>
        <translation>%1 · codificando mientras escribes … %2 %</translation>
    </message>
    <message>
        <source>%1 · read already</source>
        <translation>%1 · ya leída</translation>
    </message>
    <message>
        <source>%1 → %2</source>
        <translation>%1 → %2</translation>
    </message>
    <message>
        <source>reading …</source>
        <translation>leyendo …</translation>
    </message>
    <message>
        <source>Remove picture %1</source>
        <translation>Quitar la imagen %1</translation>
    </message>
    <message>
        <source>%1 of %2 pictures cannot be sent</source>
        <translation>%1 de %2 imágenes no se pueden enviar</translation>
    </message>
    <message>
        <source>%1 pictures</source>
        <translation>%1 imágenes</translation>
    </message>
    <message>
        <source>Remove all</source>
        <translation>Quitar todas</translation>
    </message>
</context>
<context>
    <name>ChatDatabase</name>
    <message>
        <source>The file of conversations is damaged (%1). It was kept as %2, and a new one was begun.</source>
        <translation>El archivo de conversaciones está dañado (%1). Se ha guardado como %2, y se ha empezado uno nuevo.</translation>
    </message>
</context>
<context>
    <name>ChatScreen</name>
    <message>
        <source>Conversation</source>
        <translation>Conversación</translation>
    </message>
    <message>
        <source>Drop a picture here and ask about it</source>
        <translation>Suelta aquí una imagen y pregunta sobre ella</translation>
    </message>
    <message>
        <source>Everything stays on this machine. You see what the model sees, and what each answer waited for.</source>
        <translation>Todo se queda en este equipo. Ves lo que ve el modelo, y a qué esperó cada respuesta.</translation>
    </message>
</context>
<context>
    <name>CodeBlock</name>
    <message>
        <source>code</source>
        <translation>código</translation>
    </message>
    <message>
        <source>Copy code</source>
        <translation>Copiar código</translation>
    </message>
</context>
<context>
    <name>CompareScreen</name>
    <message>
        <source>Stop</source>
        <translation>Parar</translation>
    </message>
    <message>
        <source>Run again</source>
        <translation>Ejecutar de nuevo</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Comparar</translation>
    </message>
    <message>
        <source>Stop the comparison (Esc)</source>
        <translation>Parar la comparación (Esc)</translation>
    </message>
    <message>
        <source>Answer the question with both</source>
        <translation>Responder la pregunta con ambos</translation>
    </message>
    <message>
        <source>Runs each:</source>
        <translation>Ejecuciones de cada uno:</translation>
    </message>
    <message>
        <source>Measured runs of each, after one that warms up; figures are their medians</source>
        <translation>Ejecuciones medidas de cada uno, tras una de calentamiento; las cifras son sus medianas</translation>
    </message>
    <message>
        <source>Pictures:</source>
        <translation>Imágenes:</translation>
    </message>
    <message>
        <source>encoded in every run</source>
        <translation>codificadas en cada ejecución</translation>
    </message>
    <message>
        <source>encoded once, shared</source>
        <translation>codificadas una vez, compartidas</translation>
    </message>
    <message>
        <source>Whether the vision encoder&apos;s time counts, or both sides begin from its features</source>
        <translation>Si cuenta el tiempo del codificador visual, o ambos lados parten de sus rasgos</translation>
    </message>
    <message>
        <source>Full model</source>
        <translation>Modelo completo</translation>
    </message>
    <message>
        <source>%1 layers</source>
        <translation>%1 capas</translation>
    </message>
    <message>
        <source>POP</source>
        <translation>POP</translation>
    </message>
    <message>
        <source>%1 of %2 pruned in the prefill</source>
        <translation>%1 de %2 podadas en el prefill</translation>
    </message>
    <message>
        <source>Sooner by</source>
        <translation>Más rápido</translation>
    </message>
    <message>
        <source>Prefill alone</source>
        <translation>Solo el prefill</translation>
    </message>
    <message>
        <source>Same answer</source>
        <translation>Misma respuesta</translation>
    </message>
    <message>
        <source>Same text for</source>
        <translation>Mismo texto durante</translation>
    </message>
    <message>
        <source>First token, KL</source>
        <translation>Primer token, KL</translation>
    </message>
    <message>
        <source>%1 nats</source>
        <translation>%1 nats</translation>
    </message>
    <message>
        <source>Export ▾</source>
        <translation>Exportar ▾</translation>
    </message>
    <message>
        <source>As JSON …</source>
        <translation>Como JSON …</translation>
    </message>
    <message>
        <source>As CSV …</source>
        <translation>Como CSV …</translation>
    </message>
    <message>
        <source>As a picture …</source>
        <translation>Como imagen …</translation>
    </message>
    <message>
        <source>Write these figures, and the sweep&apos;s, to a file</source>
        <translation>Escribir estas cifras, y las del barrido, en un archivo</translation>
    </message>
    <message>
        <source>Both answers are the same, word for word.</source>
        <translation>Las dos respuestas son iguales, palabra por palabra.</translation>
    </message>
    <message>
        <source>The answers part at token %1; from there on the passage is underlined in both.</source>
        <translation>Las respuestas se separan en el token %1; desde ahí el pasaje está subrayado en ambas.</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>the same seed and settings for both</source>
        <translation>la misma semilla y los mismos ajustes para ambos</translation>
    </message>
    <message>
        <source>Nothing to compare yet</source>
        <translation>Aún no hay nada que comparar</translation>
    </message>
    <message>
        <source>Write a question in the chat, with a picture or without. Here it is answered twice, by the full model and with prefill-only pruning, side by side.</source>
        <translation>Escribe una pregunta en el chat, con imagen o sin ella. Aquí se responde dos veces, con el modelo completo y con poda solo en el prefill, lado a lado.</translation>
    </message>
    <message>
        <source>Write a question</source>
        <translation>Escribe una pregunta</translation>
    </message>
    <message>
        <source>Export the comparison</source>
        <translation>Exportar la comparación</translation>
    </message>
    <message>
        <source>JSON (*.json)</source>
        <translation>JSON (*.json)</translation>
    </message>
    <message>
        <source>CSV (*.csv)</source>
        <translation>CSV (*.csv)</translation>
    </message>
    <message>
        <source>Pictures (*.png)</source>
        <translation>Imágenes (*.png)</translation>
    </message>
</context>
<context>
    <name>ComparedAnswer</name>
    <message>
        <source>%1: first token after %2</source>
        <translation>%1: primer token tras %2</translation>
    </message>
    <message>
        <source>to first token</source>
        <translation>hasta el primer token</translation>
    </message>
    <message>
        <source>The answer is empty: the model ended it at once.</source>
        <translation>La respuesta está vacía: el modelo la terminó enseguida.</translation>
    </message>
    <message>
        <source>No answer yet.</source>
        <translation>Aún sin respuesta.</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
</context>
<context>
    <name>Composer</name>
    <message>
        <source>Ask about the pictures</source>
        <translation>Pregunta sobre las imágenes</translation>
    </message>
    <message>
        <source>Ask, or drop a picture here</source>
        <translation>Pregunta, o suelta aquí una imagen</translation>
    </message>
    <message>
        <source>+ Picture</source>
        <translation>+ Imagen</translation>
    </message>
    <message>
        <source>Choose picture files (Ctrl+O)</source>
        <translation>Elegir archivos de imagen (Ctrl+O)</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>Enviar</translation>
    </message>
    <message>
        <source>Send (Enter)</source>
        <translation>Enviar (Intro)</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Parar</translation>
    </message>
    <message>
        <source>Stop the answer (Esc)</source>
        <translation>Parar la respuesta (Esc)</translation>
    </message>
    <message>
        <source>Choose pictures</source>
        <translation>Elegir imágenes</translation>
    </message>
    <message>
        <source>Pictures (*.png *.jpg *.jpeg *.webp *.tif *.tiff *.bmp *.gif)</source>
        <translation>Imágenes (*.png *.jpg *.jpeg *.webp *.tif *.tiff *.bmp *.gif)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Todos los archivos (*)</translation>
    </message>
    <message>
        <source>Take a picture of the screen (Ctrl+Shift+S)</source>
        <translation>Capturar la pantalla (Ctrl+Mayús+S)</translation>
    </message>
    <message>
        <source>Editing: the new question takes the place of the old one and of all that follows.</source>
        <translation>Edición: la pregunta nueva sustituye a la anterior y a todo lo que sigue.</translation>
    </message>
    <message>
        <source>Cancel editing</source>
        <translation>Cancelar la edición</translation>
    </message>
</context>
<context>
    <name>ConversationFile</name>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>picture</source>
        <translation>imagen</translation>
    </message>
    <message>
        <source>vision encoder</source>
        <translation>codificador visual</translation>
    </message>
    <message>
        <source>prefill</source>
        <translation>prefill</translation>
    </message>
    <message>
        <source>boundary</source>
        <translation>frontera</translation>
    </message>
    <message>
        <source>first token</source>
        <translation>primer token</translation>
    </message>
    <message>
        <source>%1 to the first token (%2)</source>
        <translation>%1 hasta el primer token (%2)</translation>
    </message>
    <message>
        <source>%1 tokens read, %2 answered</source>
        <translation>%1 tokens leídos, %2 respondidos</translation>
    </message>
    <message>
        <source>%1 tokens/s</source>
        <translation>%1 tokens/s</translation>
    </message>
    <message>
        <source>POP %1 of %2</source>
        <translation>POP %1 de %2</translation>
    </message>
    <message>
        <source>full model</source>
        <translation>modelo completo</translation>
    </message>
    <message>
        <source>*%1: this picture is no longer there*</source>
        <translation>*%1: esta imagen ya no está*</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>Respuesta</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>Pregunta</translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>Parada.</translation>
    </message>
    <message>
        <source>%1 pictures</source>
        <translation>%1 imágenes</translation>
    </message>
    <message>
        <source>System prompt:</source>
        <translation>Instrucción de sistema:</translation>
    </message>
    <message>
        <source>Conversation</source>
        <translation>Conversación</translation>
    </message>
</context>
<context>
    <name>ConversationList</name>
    <message>
        <source>New conversation</source>
        <translation>Conversación nueva</translation>
    </message>
    <message>
        <source>Ctrl N</source>
        <translation>Ctrl N</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Buscar</translation>
    </message>
    <message>
        <source>Conversations</source>
        <translation>Conversaciones</translation>
    </message>
    <message>
        <source>No conversation holds these words.</source>
        <translation>Ninguna conversación contiene estas palabras.</translation>
    </message>
    <message>
        <source>Conversations are kept here.</source>
        <translation>Las conversaciones se guardan aquí.</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>Renombrar</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Borrar</translation>
    </message>
    <message>
        <source>Rename conversation</source>
        <translation>Renombrar la conversación</translation>
    </message>
    <message>
        <source>Delete this conversation?</source>
        <translation>¿Borrar esta conversación?</translation>
    </message>
    <message>
        <source>Its messages and pictures are removed from this machine.</source>
        <translation>Sus mensajes e imágenes se eliminan de este equipo.</translation>
    </message>
    <message>
        <source>Rename, export or delete</source>
        <translation>Renombrar, exportar o eliminar</translation>
    </message>
    <message>
        <source>Export as Markdown …</source>
        <translation>Exportar como Markdown …</translation>
    </message>
    <message>
        <source>Export as JSON …</source>
        <translation>Exportar como JSON …</translation>
    </message>
</context>
<context>
    <name>DepthSlider</name>
    <message>
        <source>Layers pruned in the prefill: %1 of %2</source>
        <translation>Capas podadas en el prefill: %1 de %2</translation>
    </message>
</context>
<context>
    <name>DetailChoice</name>
    <message>
        <source>Detail:</source>
        <translation>Detalle:</translation>
    </message>
    <message>
        <source>as the model is set</source>
        <translation>como viene el modelo</translation>
    </message>
    <message>
        <source>64 tokens</source>
        <translation>64 tokens</translation>
    </message>
    <message>
        <source>256 tokens</source>
        <translation>256 tokens</translation>
    </message>
    <message>
        <source>1,024 tokens</source>
        <translation>1.024 tokens</translation>
    </message>
    <message>
        <source>4,096 tokens</source>
        <translation>4.096 tokens</translation>
    </message>
    <message>
        <source>How many tokens a picture may take: fewer are read sooner, and show less</source>
        <translation>Cuántos tokens puede ocupar una imagen: menos se leen antes, y muestran menos</translation>
    </message>
</context>
<context>
    <name>DeviceText</name>
    <message>
        <source>1 thread</source>
        <translation>1 hilo</translation>
    </message>
    <message>
        <source>%1 threads</source>
        <translation>%1 hilos</translation>
    </message>
</context>
<context>
    <name>ErrorCard</name>
    <message>
        <source>No answer</source>
        <translation>Sin respuesta</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Intentar de nuevo</translation>
    </message>
</context>
<context>
    <name>ExportDialog</name>
    <message>
        <source>Export the conversation</source>
        <translation>Exportar la conversación</translation>
    </message>
    <message>
        <source>JSON with all figures (*.json)</source>
        <translation>JSON con todas las cifras (*.json)</translation>
    </message>
    <message>
        <source>Markdown with pictures (*.md)</source>
        <translation>Markdown con imágenes (*.md)</translation>
    </message>
</context>
<context>
    <name>Format</name>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>1 token</source>
        <translation>1 token</translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation>%1 tokens</translation>
    </message>
    <message>
        <source>%1 tokens/s</source>
        <translation>%1 tokens/s</translation>
    </message>
    <message>
        <source>%1×</source>
        <translation>%1×</translation>
    </message>
    <message>
        <source>%1%2 nats</source>
        <translation>%1%2 nats</translation>
    </message>
    <message>
        <source>%1 × %2</source>
        <translation>%1 × %2</translation>
    </message>
    <message>
        <source>POP %1 of %2</source>
        <translation>POP %1 de %2</translation>
    </message>
    <message>
        <source>full model</source>
        <translation>modelo completo</translation>
    </message>
</context>
<context>
    <name>Header</name>
    <message>
        <source>Chat</source>
        <translation>Chat</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Comparar</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>Modelos</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Ajustes</translation>
    </message>
    <message>
        <source>Show or hide the panel (F9)</source>
        <translation>Mostrar u ocultar el panel (F9)</translation>
    </message>
</context>
<context>
    <name>ImportanceChart</name>
    <message>
        <source>Layer %1: prefill %2, decode %3 nats</source>
        <translation>Capa %1: prefill %2, decodificación %3 nats</translation>
    </message>
    <message>
        <source>Importance by layer, prefill and decode; the last %1 of %2 layers are pruned</source>
        <translation>Importancia por capa, prefill y decodificación; las últimas %1 de %2 capas están podadas</translation>
    </message>
    <message>
        <source>Prefill</source>
        <translation>Prefill</translation>
    </message>
    <message>
        <source>Decode</source>
        <translation>Decodificación</translation>
    </message>
    <message>
        <source>Pruned</source>
        <translation>Podadas</translation>
    </message>
    <message>
        <source>Layer %1, prefill: attention %2, FFN %3 nats</source>
        <translation>Capa %1, prefill: atención %2, FFN %3 nats</translation>
    </message>
    <message>
        <source>Layer %1, decode: attention %2, FFN %3 nats</source>
        <translation>Capa %1, decodificación: atención %2, FFN %3 nats</translation>
    </message>
    <message>
        <source>Importance by layer, prefill and decode, attention and FFN apart; the last %1 of %2 layers are pruned</source>
        <translation>Importancia por capa, prefill y decodificación, atención y FFN por separado; se podan las últimas %1 de %2 capas</translation>
    </message>
    <message>
        <source>Attention</source>
        <translation>Atención</translation>
    </message>
    <message>
        <source>FFN</source>
        <translation>FFN</translation>
    </message>
</context>
<context>
    <name>Main</name>
    <message>
        <source>%1 – PopLens</source>
        <translation>%1 – PopLens</translation>
    </message>
    <message>
        <source>Open this link?</source>
        <translation>¿Abrir este enlace?</translation>
    </message>
    <message>
        <source>Open in browser</source>
        <translation>Abrir en el navegador</translation>
    </message>
</context>
<context>
    <name>MarkedPicture</name>
    <message>
        <source>1 box</source>
        <translation>1 recuadro</translation>
    </message>
    <message>
        <source>%1 boxes</source>
        <translation>%1 recuadros</translation>
    </message>
    <message>
        <source>1 point</source>
        <translation>1 punto</translation>
    </message>
    <message>
        <source>%1 points</source>
        <translation>%1 puntos</translation>
    </message>
    <message>
        <source>%1 and %2</source>
        <translation>%1 y %2</translation>
    </message>
    <message>
        <source>without a label</source>
        <translation>sin etiqueta</translation>
    </message>
    <message>
        <source>%1 and %2 more</source>
        <translation>%1 y %2 más</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
</context>
<context>
    <name>MarkedThumb</name>
    <message>
        <source>Picture %1 with %2, show in full</source>
        <translation>Imagen %1 con %2, mostrar completa</translation>
    </message>
    <message>
        <source>Picture %1, show in full</source>
        <translation>Imagen %1, mostrar completa</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>Hide marks</source>
        <translation>Ocultar marcas</translation>
    </message>
    <message>
        <source>Show marks</source>
        <translation>Mostrar marcas</translation>
    </message>
</context>
<context>
    <name>ModelBadge</name>
    <message>
        <source>Model: %1, %2</source>
        <translation>Modelo: %1, %2</translation>
    </message>
</context>
<context>
    <name>ModelCard</name>
    <message>
        <source>%1: %2, %3. %4</source>
        <translation>%1: %2, %3. %4</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>In use</source>
        <translation>En uso</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Cancelar</translation>
    </message>
    <message>
        <source>Stop loading %1</source>
        <translation>Dejar de cargar %1</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Intentar de nuevo</translation>
    </message>
    <message>
        <source>Load</source>
        <translation>Cargar</translation>
    </message>
    <message>
        <source>Load %1 and answer with it</source>
        <translation>Cargar %1 y responder con él</translation>
    </message>
</context>
<context>
    <name>ModelsScreen</name>
    <message>
        <source>Models on this machine</source>
        <translation>Modelos en este equipo</translation>
    </message>
    <message>
        <source>looking …</source>
        <translation>buscando …</translation>
    </message>
    <message>
        <source>Look again</source>
        <translation>Buscar de nuevo</translation>
    </message>
    <message>
        <source>Look for models once more</source>
        <translation>Buscar modelos otra vez</translation>
    </message>
    <message>
        <source>Add folder …</source>
        <translation>Añadir carpeta …</translation>
    </message>
    <message>
        <source>Look for models in a folder of yours too</source>
        <translation>Buscar modelos también en una carpeta tuya</translation>
    </message>
    <message>
        <source>No longer look in %1</source>
        <translation>No buscar más en %1</translation>
    </message>
    <message>
        <source>No models were found in the Hugging Face cache or in your own folders. Download one there, or add the folder that holds it.</source>
        <translation>No se encontraron modelos en la caché de Hugging Face ni en tus carpetas. Descarga uno allí, o añade la carpeta que lo contiene.</translation>
    </message>
    <message>
        <source>Choose a folder that holds models</source>
        <translation>Elige una carpeta que contenga modelos</translation>
    </message>
</context>
<context>
    <name>Notice</name>
    <message>
        <source>Dismiss</source>
        <translation>Descartar</translation>
    </message>
</context>
<context>
    <name>PicturePanel</name>
    <message>
        <source>Picture</source>
        <translation>Imagen</translation>
    </message>
    <message>
        <source>Original</source>
        <translation>Original</translation>
    </message>
    <message>
        <source>Seen by the model</source>
        <translation>Vista por el modelo</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Tokens</translation>
    </message>
</context>
<context>
    <name>PictureThumb</name>
    <message>
        <source>Picture %1, show in full</source>
        <translation>Imagen %1, mostrar entera</translation>
    </message>
</context>
<context>
    <name>PictureViewer</name>
    <message>
        <source>Picture %1</source>
        <translation>Imagen %1</translation>
    </message>
    <message>
        <source>%1 · %2 · %3 %</source>
        <translation>%1 · %2 · %3 %</translation>
    </message>
    <message>
        <source>Fit</source>
        <translation>Ajustar</translation>
    </message>
    <message>
        <source>Actual size</source>
        <translation>Tamaño real</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Cerrar</translation>
    </message>
    <message>
        <source>Picture %1 with %2</source>
        <translation>Imagen %1 con %2</translation>
    </message>
    <message>
        <source>Hide marks</source>
        <translation>Ocultar marcas</translation>
    </message>
    <message>
        <source>Show marks</source>
        <translation>Mostrar marcas</translation>
    </message>
    <message>
        <source>Boxes and points of the answer (M)</source>
        <translation>Recuadros y puntos de la respuesta (M)</translation>
    </message>
</context>
<context>
    <name>PopPanelView</name>
    <message>
        <source>Prefill-only pruning</source>
        <translation>Poda solo en el prefill</translation>
    </message>
    <message>
        <source>Layers pruned in the prefill</source>
        <translation>Capas podadas en el prefill</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 de %2</translation>
    </message>
    <message>
        <source>First token, predicted</source>
        <translation>Espera prevista</translation>
    </message>
    <message>
        <source>measuring …</source>
        <translation>midiendo…</translation>
    </message>
    <message>
        <source>with a picture</source>
        <translation>con una imagen</translation>
    </message>
    <message>
        <source>(full %1)</source>
        <translation>(completo %1)</translation>
    </message>
    <message>
        <source>Prefill speed-up</source>
        <translation>Aceleración del prefill</translation>
    </message>
    <message>
        <source>Expected loss</source>
        <translation>Pérdida esperada</translation>
    </message>
    <message>
        <source>not measured</source>
        <translation>sin medir</translation>
    </message>
    <message>
        <source>Auto</source>
        <translation>Auto</translation>
    </message>
    <message>
        <source>Auto allows a loss of</source>
        <translation>Auto permite perder</translation>
    </message>
    <message>
        <source>Loss that Auto allows, in nats an answer</source>
        <translation>Pérdida que Auto permite, en nats por respuesta</translation>
    </message>
    <message>
        <source>nats</source>
        <translation>nats</translation>
    </message>
    <message>
        <source>(measured)</source>
        <translation>(medida)</translation>
    </message>
    <message>
        <source>(estimated)</source>
        <translation>(estimada)</translation>
    </message>
    <message>
        <source>The deepest plan that was measured to cost at most %1</source>
        <translation>El plan más profundo que, medido, cuesta como mucho %1</translation>
    </message>
    <message>
        <source>Needs measured losses: measure on a conversation again</source>
        <translation>Necesita pérdidas medidas: mide de nuevo en una conversación</translation>
    </message>
    <message>
        <source>Needs this model&apos;s importances</source>
        <translation>Necesita las importancias de este modelo</translation>
    </message>
    <message>
        <source>Question in full</source>
        <translation>Pregunta completa</translation>
    </message>
    <message>
        <source>Last token in full</source>
        <translation>Último token completo</translation>
    </message>
    <message>
        <source>What runs through every layer: all text after the last picture, or the last token alone</source>
        <translation>Lo que pasa por todas las capas: todo el texto tras la última imagen, o solo el último token</translation>
    </message>
    <message>
        <source>Importance by layer</source>
        <translation>Importancia por capa</translation>
    </message>
    <message>
        <source>this model, 1 sample</source>
        <translation>este modelo, 1 muestra</translation>
    </message>
    <message>
        <source>this model, %1 samples</source>
        <translation>este modelo, %1 muestras</translation>
    </message>
    <message>
        <source>Nothing has been measured of this model yet. Importances say what each layer does for the answer while the prompt is read in, and while the answer is written.</source>
        <translation>Aún no se ha medido nada de este modelo. Las importancias dicen lo que hace cada capa por la respuesta mientras se lee la entrada, y mientras se escribe la respuesta.</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Cancelar</translation>
    </message>
    <message>
        <source>Measure on this conversation</source>
        <translation>Medir en esta conversación</translation>
    </message>
    <message>
        <source>Computes what each layer does for the answers above, and keeps it for this model</source>
        <translation>Calcula lo que hace cada capa por las respuestas de arriba, y lo guarda para este modelo</translation>
    </message>
    <message>
        <source>measuring, %1 %</source>
        <translation>midiendo, %1 %</translation>
    </message>
    <message>
        <source>Whole layers</source>
        <translation>Capas enteras</translation>
    </message>
    <message>
        <source>Attention and FFN apart</source>
        <translation>Atención y FFN por separado</translation>
    </message>
    <message>
        <source>What a bar stands for: a layer&apos;s two updates together, or each by itself</source>
        <translation>Lo que representa una barra: las dos actualizaciones de una capa juntas, o cada una por sí sola</translation>
    </message>
</context>
<context>
    <name>Question</name>
    <message>
        <source>Cancel</source>
        <translation>Cancelar</translation>
    </message>
</context>
<context>
    <name>QuestionMessage</name>
    <message>
        <source>%1 → %2</source>
        <translation>%1 → %2</translation>
    </message>
    <message>
        <source>You asked: %1</source>
        <translation>Preguntaste: %1</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>Editar</translation>
    </message>
</context>
<context>
    <name>Reason</name>
    <message>
        <source>no such model folder</source>
        <translation>no existe esa carpeta de modelo</translation>
    </message>
    <message>
        <source>this is a quantised edition (&apos;quantization_config&apos;), which is not supported; take the ordinary BF16 one</source>
        <translation>es una edición cuantizada («quantization_config»), que no se admite; usa la edición BF16 normal</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is a mixture-of-experts model, which is not supported</source>
        <translation>«%1» es un modelo de mezcla de expertos, que no se admite</translation>
    </message>
    <message>
        <source>unknown architecture &apos;%1&apos; (supported: qwen3_vl, gemma3, gemma3_text, llama)</source>
        <translation>arquitectura desconocida «%1» (se admiten qwen3_vl, gemma3, gemma3_text y llama)</translation>
    </message>
    <message>
        <source>unsupported dtype &apos;%1&apos;</source>
        <translation>el dtype «%1» no se admite</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is &apos;%2&apos;, expected &apos;%3&apos;</source>
        <translation>«%1» es «%2», se esperaba «%3»</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is %2, expected %3 to %4</source>
        <translation>«%1» es %2, se esperaba de %3 a %4</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is true, which this engine does not support</source>
        <translation>«%1» es true, lo que este motor no admite</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is false, which is not supported</source>
        <translation>«%1» es false, lo que no se admite</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is set, which is not supported</source>
        <translation>«%1» está definido, lo que no se admite</translation>
    </message>
    <message>
        <source>&apos;use_bidirectional_attention&apos; is true (an embedding model), which is not supported</source>
        <translation>«use_bidirectional_attention» es true (un modelo de embeddings), lo que no se admite</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not positive</source>
        <translation>«%1» no es positivo</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not above &apos;%2&apos;</source>
        <translation>«%1» no es mayor que «%2»</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not above 0</source>
        <translation>«%1» no es mayor que 0</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is missing</source>
        <translation>falta «%1»</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not an object</source>
        <translation>«%1» no es un objeto</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not a whole number</source>
        <translation>«%1» no es un número entero</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not a number</source>
        <translation>«%1» no es un número</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is neither true nor false</source>
        <translation>«%1» no es ni true ni false</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not a text</source>
        <translation>«%1» no es un texto</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not a list</source>
        <translation>«%1» no es una lista</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is longer than %2 entries</source>
        <translation>«%1» tiene más de %2 elementos</translation>
    </message>
    <message>
        <source>&apos;%1&apos; holds something else than whole numbers</source>
        <translation>«%1» contiene algo más que números enteros</translation>
    </message>
    <message>
        <source>&apos;%1&apos; holds %2, which is out of range</source>
        <translation>«%1» contiene %2, que está fuera de los límites</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not a list of 3 numbers</source>
        <translation>«%1» no es una lista de 3 números</translation>
    </message>
    <message>
        <source>&apos;image_std&apos; holds a 0</source>
        <translation>«image_std» contiene un 0</translation>
    </message>
    <message>
        <source>&apos;resample&apos; is %1; only 2 (bilinear) and 3 (bicubic) are supported</source>
        <translation>«resample» es %1; solo se admiten 2 (bilineal) y 3 (bicúbico)</translation>
    </message>
    <message>
        <source>&apos;num_channels&apos; is not 3</source>
        <translation>«num_channels» no es 3</translation>
    </message>
    <message>
        <source>&apos;in_channels&apos; is not 3</source>
        <translation>«in_channels» no es 3</translation>
    </message>
    <message>
        <source>&apos;num_position_embeddings&apos; is not a square</source>
        <translation>«num_position_embeddings» no es un cuadrado</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is %2, but the decoder&apos;s hidden size is %3</source>
        <translation>«%1» es %2, pero el tamaño oculto del decodificador es %3</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is %2, but the vision tower sees %3 pixels a side</source>
        <translation>«%1» es %2, pero la torre de visión ve %3 píxeles por lado</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is %2, but the model&apos;s vision_config says %3</source>
        <translation>«%1» es %2, pero el vision_config del modelo dice %3</translation>
    </message>
    <message>
        <source>&apos;deepstack_visual_indexes&apos; is not an ascending list of the tower&apos;s blocks</source>
        <translation>«deepstack_visual_indexes» no es una lista ascendente de bloques de la torre</translation>
    </message>
    <message>
        <source>&apos;mrope_section&apos; does not have 3 entries</source>
        <translation>«mrope_section» no tiene 3 elementos</translation>
    </message>
    <message>
        <source>more DeepStack features than the decoder has layers</source>
        <translation>hay más rasgos de DeepStack que capas tiene el decodificador</translation>
    </message>
    <message>
        <source>picture token %1 lies outside the vocabulary of %2</source>
        <translation>el token de imagen %1 queda fuera del vocabulario de %2</translation>
    </message>
    <message>
        <source>RoPE of type &apos;%1&apos; is not supported for Qwen3-VL (only &apos;default&apos;)</source>
        <translation>el RoPE de tipo «%1» no se admite para Qwen3-VL (solo «default»)</translation>
    </message>
    <message>
        <source>RoPE of type &apos;%1&apos; is not supported (default, linear, llama3 are)</source>
        <translation>el RoPE de tipo «%1» no se admite (sí default, linear y llama3)</translation>
    </message>
    <message>
        <source>&apos;layer_types&apos; does not list one type for each of the %1 layers</source>
        <translation>«layer_types» no da un tipo para cada una de las %1 capas</translation>
    </message>
    <message>
        <source>&apos;layer_types&apos; holds something else than sliding_attention and full_attention</source>
        <translation>«layer_types» contiene algo más que sliding_attention y full_attention</translation>
    </message>
    <message>
        <source>%1 attention heads cannot share %2 key/value heads</source>
        <translation>%1 cabezas de atención no pueden compartir %2 cabezas de clave y valor</translation>
    </message>
    <message>
        <source>&apos;head_dim&apos; is %1, this engine runs multiples of 4 up to %2</source>
        <translation>«head_dim» es %1, este motor admite múltiplos de 4 hasta %2</translation>
    </message>
    <message>
        <source>%1 patches a side cannot be averaged to %2 tokens</source>
        <translation>%1 parches por lado no se pueden promediar en %2 tokens</translation>
    </message>
    <message>
        <source>a hidden size of %1 cannot be split into %2 heads of a multiple of 4 values, at most %3</source>
        <translation>un tamaño oculto de %1 no se puede repartir en %2 cabezas de un múltiplo de 4 valores, como mucho %3</translation>
    </message>
    <message>
        <source>cannot be mapped: %1</source>
        <translation>no se puede proyectar en memoria: %1</translation>
    </message>
    <message>
        <source>not a regular file</source>
        <translation>no es un archivo normal</translation>
    </message>
    <message>
        <source>not a JSON object</source>
        <translation>no es un objeto JSON</translation>
    </message>
    <message>
        <source>cannot be read as JSON: %1</source>
        <translation>no se puede leer como JSON: %1</translation>
    </message>
    <message>
        <source>not valid JSON</source>
        <translation>no es JSON válido</translation>
    </message>
    <message>
        <source>not valid JSON at byte %1</source>
        <translation>no es JSON válido en el byte %1</translation>
    </message>
    <message>
        <source>more than %1 values</source>
        <translation>más de %1 valores</translation>
    </message>
    <message>
        <source>nested more than %1 deep</source>
        <translation>anidado más de %1 niveles</translation>
    </message>
    <message>
        <source>binary data</source>
        <translation>datos binarios</translation>
    </message>
    <message>
        <source>%1 bytes, more than the %2 that such a file may have</source>
        <translation>%1 bytes, más de los %2 que puede tener un archivo así</translation>
    </message>
    <message>
        <source>a file to write to has no name</source>
        <translation>un archivo en el que escribir no tiene nombre</translation>
    </message>
    <message>
        <source>cannot be written: %1</source>
        <translation>no se puede escribir: %1</translation>
    </message>
    <message>
        <source>is a folder, not a file to write to</source>
        <translation>es una carpeta, no un archivo en el que escribir</translation>
    </message>
    <message>
        <source>is a device or a pipe, which no file can take the place of</source>
        <translation>es un dispositivo o una tubería, cuyo lugar no puede ocupar ningún archivo</translation>
    </message>
    <message>
        <source>cannot be read: %1</source>
        <translation>no se puede leer: %1</translation>
    </message>
    <message>
        <source>the conversations&apos; database: %1</source>
        <translation>la base de datos de conversaciones: %1</translation>
    </message>
    <message>
        <source>Qt&apos;s SQLite driver is not installed (Debian: libqt6sql6-sqlite)</source>
        <translation>el controlador de SQLite para Qt no está instalado (Debian: libqt6sql6-sqlite)</translation>
    </message>
    <message>
        <source>the folder cannot be made</source>
        <translation>no se puede crear la carpeta</translation>
    </message>
    <message>
        <source>the folder for the pictures cannot be made</source>
        <translation>no se puede crear la carpeta para las imágenes</translation>
    </message>
    <message>
        <source>the picture folder cannot be made</source>
        <translation>no se puede crear la carpeta de imágenes</translation>
    </message>
    <message>
        <source>%1; it cannot be moved aside either</source>
        <translation>%1; tampoco se puede apartar</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is no picture&apos;s hash</source>
        <translation>«%1» no es la huella de ninguna imagen</translation>
    </message>
    <message>
        <source>No such file or directory</source>
        <translation>no existe el archivo o la carpeta</translation>
    </message>
    <message>
        <source>Permission denied</source>
        <translation>permiso denegado</translation>
    </message>
    <message>
        <source>Operation not permitted</source>
        <translation>operación no permitida</translation>
    </message>
    <message>
        <source>No space left on device</source>
        <translation>no queda espacio en el disco</translation>
    </message>
    <message>
        <source>Disk quota exceeded</source>
        <translation>se ha agotado la cuota de disco</translation>
    </message>
    <message>
        <source>Read-only file system</source>
        <translation>el sistema de archivos es de solo lectura</translation>
    </message>
    <message>
        <source>Is a directory</source>
        <translation>es una carpeta</translation>
    </message>
    <message>
        <source>Not a directory</source>
        <translation>no es una carpeta</translation>
    </message>
    <message>
        <source>File name too long</source>
        <translation>el nombre de archivo es demasiado largo</translation>
    </message>
    <message>
        <source>File too large</source>
        <translation>el archivo es demasiado grande</translation>
    </message>
    <message>
        <source>Input/output error</source>
        <translation>error de entrada o salida</translation>
    </message>
    <message>
        <source>Cannot allocate memory</source>
        <translation>no se puede reservar memoria</translation>
    </message>
    <message>
        <source>Too many open files</source>
        <translation>hay demasiados archivos abiertos</translation>
    </message>
    <message>
        <source>unable to open database file</source>
        <translation>no se puede abrir el archivo de la base de datos</translation>
    </message>
    <message>
        <source>attempt to write a readonly database</source>
        <translation>la base de datos es de solo lectura</translation>
    </message>
    <message>
        <source>database or disk is full</source>
        <translation>el disco o la base de datos está lleno</translation>
    </message>
    <message>
        <source>database is locked</source>
        <translation>otro programa tiene bloqueada la base de datos</translation>
    </message>
    <message>
        <source>disk I/O error</source>
        <translation>error de entrada o salida del disco</translation>
    </message>
    <message>
        <source>database disk image is malformed</source>
        <translation>el archivo de la base de datos está dañado</translation>
    </message>
    <message>
        <source>file is not a database</source>
        <translation>el archivo no es una base de datos</translation>
    </message>
    <message>
        <source>the file is cut off: it ends before the picture does</source>
        <translation>el archivo está cortado: termina antes que la imagen</translation>
    </message>
    <message>
        <source>a damaged %1: its data cannot be decoded</source>
        <translation>un %1 dañado: sus datos no se pueden decodificar</translation>
    </message>
    <message>
        <source>the picture has no pixels (%1 x %2)</source>
        <translation>la imagen no tiene píxeles (%1 x %2)</translation>
    </message>
    <message>
        <source>the picture claims %1 x %2; at most %3 a side are read</source>
        <translation>la imagen dice tener %1 x %2; se leen como mucho %3 por lado</translation>
    </message>
    <message>
        <source>the picture claims %1 x %2; at most %3 megapixels are read</source>
        <translation>la imagen dice tener %1 x %2; se leen como mucho %3 megapíxeles</translation>
    </message>
    <message>
        <source>not a picture</source>
        <translation>no es una imagen</translation>
    </message>
    <message>
        <source>the file is empty</source>
        <translation>el archivo está vacío</translation>
    </message>
    <message>
        <source>not a picture format that PopLens reads (PNG, JPEG, WebP, TIFF, BMP, GIF)</source>
        <translation>no es un formato de imagen que PopLens lea (PNG, JPEG, WebP, TIFF, BMP, GIF)</translation>
    </message>
    <message>
        <source>AVIF pictures are not read; convert it to JPEG or PNG first</source>
        <translation>las imágenes AVIF no se leen; conviértelas antes a JPEG o PNG</translation>
    </message>
    <message>
        <source>HEIC pictures are not read; convert it to JPEG or PNG first</source>
        <translation>las imágenes HEIC no se leen; conviértelas antes a JPEG o PNG</translation>
    </message>
    <message>
        <source>not enough memory to decode the picture</source>
        <translation>no hay memoria suficiente para decodificar la imagen</translation>
    </message>
    <message>
        <source>a file of more than 2 GB, which is not read</source>
        <translation>un archivo de más de 2 GB, que no se lee</translation>
    </message>
    <message>
        <source>absolute aspect ratio must be smaller than 200, got %1</source>
        <translation>un lado debe ser menos de 200 veces más largo que el otro, y lo es %1 veces</translation>
    </message>
    <message>
        <source>a picture without pixels has no patches</source>
        <translation>una imagen sin píxeles no tiene parches</translation>
    </message>
    <message>
        <source>a PNG with more than 1 GB of data, which is not read</source>
        <translation>un PNG con más de 1 GB de datos, que no se lee</translation>
    </message>
    <message>
        <source>a damaged PNG: the checksum of its data is wrong</source>
        <translation>un PNG dañado: la suma de comprobación de sus datos no es correcta</translation>
    </message>
    <message>
        <source>a damaged PNG: the checksum of its palette is wrong</source>
        <translation>un PNG dañado: la suma de comprobación de su paleta no es correcta</translation>
    </message>
    <message>
        <source>a damaged PNG: the checksum of its header is wrong</source>
        <translation>un PNG dañado: la suma de comprobación de su cabecera no es correcta</translation>
    </message>
    <message>
        <source>a damaged PNG: its header has the wrong length</source>
        <translation>un PNG dañado: su cabecera no tiene la longitud debida</translation>
    </message>
    <message>
        <source>a damaged PNG: its header is missing or appears twice</source>
        <translation>un PNG dañado: su cabecera falta o aparece dos veces</translation>
    </message>
    <message>
        <source>a damaged PNG: no PNG has color type %1 with %2 bits</source>
        <translation>un PNG dañado: ningún PNG tiene el tipo de color %1 con %2 bits</translation>
    </message>
    <message>
        <source>a damaged PNG: unknown compression, filter or interlace method</source>
        <translation>un PNG dañado: método de compresión, filtro o entrelazado desconocido</translation>
    </message>
    <message>
        <source>a damaged PNG: its palette is missing</source>
        <translation>un PNG dañado: falta su paleta</translation>
    </message>
    <message>
        <source>a damaged PNG: its palette has the wrong length</source>
        <translation>un PNG dañado: su paleta no tiene la longitud debida</translation>
    </message>
    <message>
        <source>a damaged PNG: it has no picture data</source>
        <translation>un PNG dañado: no tiene datos de imagen</translation>
    </message>
    <message>
        <source>a damaged PNG: its data chunks do not follow one another</source>
        <translation>un PNG dañado: sus bloques de datos no van seguidos</translation>
    </message>
    <message>
        <source>a damaged PNG: its %1 bytes of data cannot hold %2 x %3 pixels</source>
        <translation>un PNG dañado: en sus %1 bytes de datos no caben %2 x %3 píxeles</translation>
    </message>
    <message>
        <source>a damaged PNG, or one of an unknown kind: it has a critical chunk that is not known</source>
        <translation>un PNG dañado o de un tipo desconocido: tiene un bloque crítico que no se conoce</translation>
    </message>
    <message>
        <source>a damaged JPEG: a segment states a length below 2 bytes</source>
        <translation>un JPEG dañado: un segmento declara una longitud menor de 2 bytes</translation>
    </message>
    <message>
        <source>a damaged JPEG: it has two frame headers</source>
        <translation>un JPEG dañado: tiene dos cabeceras de fotograma</translation>
    </message>
    <message>
        <source>a damaged JPEG: its frame header has the wrong length</source>
        <translation>un JPEG dañado: su cabecera de fotograma no tiene la longitud debida</translation>
    </message>
    <message>
        <source>a damaged JPEG: its frame header is missing</source>
        <translation>un JPEG dañado: falta su cabecera de fotograma</translation>
    </message>
    <message>
        <source>a damaged JPEG: a sampling factor is not 1 to 4</source>
        <translation>un JPEG dañado: un factor de muestreo no está entre 1 y 4</translation>
    </message>
    <message>
        <source>a damaged JPEG: it has no picture data</source>
        <translation>un JPEG dañado: no tiene datos de imagen</translation>
    </message>
    <message>
        <source>a damaged JPEG: it has more than %1 scans</source>
        <translation>un JPEG dañado: tiene más de %1 pasadas</translation>
    </message>
    <message>
        <source>a damaged JPEG: its %1 bytes of data cannot hold %2 x %3 pixels</source>
        <translation>un JPEG dañado: en sus %1 bytes de datos no caben %2 x %3 píxeles</translation>
    </message>
    <message>
        <source>a lossless, hierarchical or arithmetic-coded JPEG, which is not read</source>
        <translation>un JPEG sin pérdida, jerárquico o con codificación aritmética, que no se lee</translation>
    </message>
    <message>
        <source>a JPEG with %1 bits a sample; only 8 are read</source>
        <translation>un JPEG con %1 bits por muestra; solo se leen los de 8</translation>
    </message>
    <message>
        <source>a JPEG with %1 colour components; 1, 3 and 4 are read</source>
        <translation>un JPEG con %1 componentes de color; se leen los de 1, 3 y 4</translation>
    </message>
    <message>
        <source>a damaged WebP: a chunk is longer than the file</source>
        <translation>un WebP dañado: un bloque es más largo que el archivo</translation>
    </message>
    <message>
        <source>a damaged WebP: its header chunk is misplaced or too short</source>
        <translation>un WebP dañado: su bloque de cabecera está fuera de sitio o es demasiado corto</translation>
    </message>
    <message>
        <source>an animated WebP; only still pictures are read</source>
        <translation>un WebP animado; solo se leen imágenes fijas</translation>
    </message>
    <message>
        <source>a damaged WebP: it has two pictures</source>
        <translation>un WebP dañado: tiene dos imágenes</translation>
    </message>
    <message>
        <source>a damaged WebP: its picture has no valid header</source>
        <translation>un WebP dañado: su imagen no tiene una cabecera válida</translation>
    </message>
    <message>
        <source>a damaged WebP: it has no picture</source>
        <translation>un WebP dañado: no tiene ninguna imagen</translation>
    </message>
    <message>
        <source>a damaged WebP: its two statements of the size differ</source>
        <translation>un WebP dañado: declara dos tamaños distintos</translation>
    </message>
    <message>
        <source>a GIF of more than 1 GB, which is not read</source>
        <translation>un GIF de más de 1 GB, que no se lee</translation>
    </message>
    <message>
        <source>a damaged GIF: its first frame does not lie inside the picture</source>
        <translation>un GIF dañado: su primer fotograma no cabe en la imagen</translation>
    </message>
    <message>
        <source>a damaged GIF: its palette is missing</source>
        <translation>un GIF dañado: falta su paleta</translation>
    </message>
    <message>
        <source>a damaged GIF: its %1 bytes of data cannot hold %2 x %3 pixels</source>
        <translation>un GIF dañado: en sus %1 bytes de datos no caben %2 x %3 píxeles</translation>
    </message>
    <message>
        <source>a damaged GIF: its first frame has %1 x %2 of %3 x %4 pixels</source>
        <translation>un GIF dañado: su primer fotograma tiene %1 x %2 de %3 x %4 píxeles</translation>
    </message>
    <message>
        <source>a damaged GIF: it has no picture</source>
        <translation>un GIF dañado: no tiene ninguna imagen</translation>
    </message>
    <message>
        <source>a damaged GIF: an unknown block</source>
        <translation>un GIF dañado: tiene un bloque desconocido</translation>
    </message>
    <message>
        <source>a damaged TIFF: it does not say where its data lie</source>
        <translation>un TIFF dañado: no dice dónde están sus datos</translation>
    </message>
    <message>
        <source>a damaged TIFF: its palette is missing</source>
        <translation>un TIFF dañado: falta su paleta</translation>
    </message>
    <message>
        <source>a damaged TIFF: its %1 bytes of data cannot hold %2 x %3 pixels</source>
        <translation>un TIFF dañado: en sus %1 bytes de datos no caben %2 x %3 píxeles</translation>
    </message>
    <message>
        <source>a TIFF of a kind that is not read: photometric %1 with %2 samples of %3 bits</source>
        <translation>un TIFF de un tipo que no se lee: fotometría %1 con %2 muestras de %3 bits</translation>
    </message>
    <message>
        <source>a TIFF of a kind that is not read: photometric %1 with %2 samples of %3 bits, not integers</source>
        <translation>un TIFF de un tipo que no se lee: fotometría %1 con %2 muestras de %3 bits que no son enteros</translation>
    </message>
    <message>
        <source>a TIFF with compression %1, which is not read</source>
        <translation>un TIFF con la compresión %1, que no se lee</translation>
    </message>
    <message>
        <source>a damaged BMP: its header states a length of %1 bytes</source>
        <translation>un BMP dañado: su cabecera declara una longitud de %1 bytes</translation>
    </message>
    <message>
        <source>a damaged BMP: no BMP has %1 bits a pixel</source>
        <translation>un BMP dañado: ningún BMP tiene %1 bits por píxel</translation>
    </message>
    <message>
        <source>a BMP of an unknown kind: compression %1 with %2 bits a pixel</source>
        <translation>un BMP de un tipo desconocido: compresión %1 con %2 bits por píxel</translation>
    </message>
    <message>
        <source>not enough memory: %1 needs %2, %3 are free</source>
        <translation>no hay memoria suficiente: %1 necesita %2 y hay %3 libres</translation>
    </message>
    <message>
        <source>a prompt of %1 tokens</source>
        <translation>una entrada de %1 tokens</translation>
    </message>
    <message>
        <source>loading the model</source>
        <translation>cargar el modelo</translation>
    </message>
    <message>
        <source>measuring %1 tokens</source>
        <translation>medir %1 tokens</translation>
    </message>
    <message>
        <source>the prompt is empty: there is no message</source>
        <translation>la entrada está vacía: no hay ningún mensaje</translation>
    </message>
    <message>
        <source>the prompt is empty: it has no tokens</source>
        <translation>la entrada está vacía: no tiene tokens</translation>
    </message>
    <message>
        <source>this model reads no pictures</source>
        <translation>este modelo no lee imágenes</translation>
    </message>
    <message>
        <source>the prompt has %1 picture placeholders, but %2 pictures were given</source>
        <translation>la entrada tiene %1 huecos para imágenes, pero se han dado %2 imágenes</translation>
    </message>
    <message>
        <source>the prompt has %1 tokens and the model&apos;s context holds %2: shorten the text or give the pictures fewer tokens</source>
        <translation>la entrada tiene %1 tokens y en el contexto del modelo caben %2: acorta el texto o da menos tokens a las imágenes</translation>
    </message>
    <message>
        <source>the tokenizer gives token %1, but the model has only %2 (tokenizer and weights do not belong together)</source>
        <translation>el tokenizador da el token %1, pero el modelo solo tiene %2 (el tokenizador y los pesos no van juntos)</translation>
    </message>
    <message>
        <source>the tokenizer lacks the token %1 of the chat template</source>
        <translation>al tokenizador le falta el token %1 de la plantilla de chat</translation>
    </message>
    <message>
        <source>the model has no chat template: it continues text only</source>
        <translation>el modelo no tiene plantilla de chat: solo continúa texto</translation>
    </message>
    <message>
        <source>the roles must alternate user/assistant/user/assistant/..., but &quot;%1&quot; stands where %2 should</source>
        <translation>los papeles deben alternarse: user/assistant/user/assistant/..., pero «%1» está donde debería estar %2</translation>
    </message>
    <message>
        <source>message %1 has a picture, but the model reads text only</source>
        <translation>el mensaje %1 tiene una imagen, pero el modelo solo lee texto</translation>
    </message>
    <message>
        <source>message %1 (%2) has a picture, but only user and tool messages can show one</source>
        <translation>el mensaje %1 (%2) tiene una imagen, pero solo pueden mostrarla los mensajes user y tool</translation>
    </message>
    <message>
        <source>message 1 (system) has a picture, but only a user can show one</source>
        <translation>el mensaje 1 (system) tiene una imagen, pero solo puede mostrarla un usuario</translation>
    </message>
    <message>
        <source>GGUF files are not supported yet</source>
        <translation>los archivos GGUF aún no se admiten</translation>
    </message>
    <message>
        <source>the weights of the vision tower are missing</source>
        <translation>faltan los pesos de la torre de visión</translation>
    </message>
    <message>
        <source>neither tokenizer.json nor tokenizer.model is there</source>
        <translation>no está ni tokenizer.json ni tokenizer.model</translation>
    </message>
    <message>
        <source>the engine was called from a thread that is not its own</source>
        <translation>se ha llamado al motor desde un hilo que no es el suyo</translation>
    </message>
    <message>
        <source>an answer of this conversation does not fit the model&apos;s context with its question</source>
        <translation>una respuesta de esta conversación no cabe con su pregunta en el contexto del modelo</translation>
    </message>
    <message>
        <source>this conversation has no answer yet to measure on</source>
        <translation>esta conversación aún no tiene ninguna respuesta sobre la que medir</translation>
    </message>
    <message>
        <source>too little memory to measure this machine&apos;s speed</source>
        <translation>muy poca memoria para medir la velocidad de este equipo</translation>
    </message>
    <message>
        <source>pruning depth %1: the model has %2 layers</source>
        <translation>profundidad de poda %1: el modelo tiene %2 capas</translation>
    </message>
    <message>
        <source>measured on another model (%1, not %2)</source>
        <translation>medido en otro modelo (%1, no %2)</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is out of range</source>
        <translation>«%1» está fuera de los límites</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not a list of %2 entries</source>
        <translation>«%1» no es una lista de %2 elementos</translation>
    </message>
    <message>
        <source>entry %1 of &apos;%2&apos; is not a number in range</source>
        <translation>el elemento %1 de «%2» no es un número dentro de los límites</translation>
    </message>
    <message>
        <source>is said to be layer %1</source>
        <translation>dice ser la capa %1</translation>
    </message>
    <message>
        <source>model.%1 is not supported</source>
        <translation>model.%1 no se admite</translation>
    </message>
    <message>
        <source>model.unk_token is not in model.vocab</source>
        <translation>model.unk_token no está en model.vocab</translation>
    </message>
    <message>
        <source>model.vocab has the token %1 twice</source>
        <translation>model.vocab tiene dos veces el token %1</translation>
    </message>
    <message>
        <source>model.vocab is missing or empty</source>
        <translation>model.vocab falta o está vacío</translation>
    </message>
    <message>
        <source>model.vocab is not a BPE vocabulary (token texts with their ids)</source>
        <translation>model.vocab no es un vocabulario BPE (textos de tokens con sus números)</translation>
    </message>
    <message>
        <source>model.merges is not a list of pairs of tokens</source>
        <translation>model.merges no es una lista de pares de tokens</translation>
    </message>
    <message>
        <source>merge %1 of model.merges has a part or a result that is not in model.vocab</source>
        <translation>la fusión %1 de model.merges tiene una parte o un resultado que no está en model.vocab</translation>
    </message>
    <message>
        <source>two tokens of model.vocab have the id %1</source>
        <translation>dos tokens de model.vocab tienen el número %1</translation>
    </message>
    <message>
        <source>has no &quot;model&quot;</source>
        <translation>no tiene «model»</translation>
    </message>
    <message>
        <source>the tokenizer model %1 is not supported (BPE is)</source>
        <translation>el modelo de tokenizador %1 no se admite (sí BPE)</translation>
    </message>
    <message>
        <source>the added token %1 uses %2, which is not supported</source>
        <translation>el token añadido %1 usa %2, que no se admite</translation>
    </message>
    <message>
        <source>the token %1 or its text stands there twice</source>
        <translation>el token %1 o su texto aparece dos veces</translation>
    </message>
    <message>
        <source>the token %1 has another text in model.vocab</source>
        <translation>el token %1 tiene otro texto en model.vocab</translation>
    </message>
    <message>
        <source>the normalizer &quot;%1&quot; is not supported (NFC and Replace of a string are)</source>
        <translation>el normalizador «%1» no se admite (sí NFC y Replace de una cadena)</translation>
    </message>
    <message>
        <source>the pre-tokenizer &quot;%1&quot; is not supported (Split and ByteLevel are)</source>
        <translation>el pretokenizador «%1» no se admite (sí Split y ByteLevel)</translation>
    </message>
    <message>
        <source>the pre-tokenizer Split with the behaviour &quot;%1&quot; is not supported (an expression, Isolated, and a string, MergedWithPrevious, are)</source>
        <translation>el pretokenizador Split con el comportamiento «%1» no se admite (sí una expresión, Isolated, y una cadena, MergedWithPrevious)</translation>
    </message>
    <message>
        <source>the pre-tokenizer ByteLevel with add_prefix_space is not supported</source>
        <translation>el pretokenizador ByteLevel con add_prefix_space no se admite</translation>
    </message>
    <message>
        <source>a pre-tokenizer step after ByteLevel is not supported</source>
        <translation>no se admite un paso del pretokenizador después de ByteLevel</translation>
    </message>
    <message>
        <source>the decoder &quot;%1&quot; is not supported (ByteLevel and Sequence are)</source>
        <translation>el decodificador «%1» no se admite (sí ByteLevel y Sequence)</translation>
    </message>
    <message>
        <source>the decoder step &quot;%1&quot; is not supported here</source>
        <translation>el paso «%1» del decodificador no se admite aquí</translation>
    </message>
    <message>
        <source>a decoder step after Fuse is not supported</source>
        <translation>no se admite un paso del decodificador después de Fuse</translation>
    </message>
    <message>
        <source>of pre_tokenizer and decoder only one is ByteLevel</source>
        <translation>solo uno de pre_tokenizer y decoder es ByteLevel</translation>
    </message>
    <message>
        <source>not a SentencePiece model: damaged or cut off at byte %1</source>
        <translation>no es un modelo SentencePiece: está dañado o cortado en el byte %1</translation>
    </message>
    <message>
        <source>not a SentencePiece model: it has no pieces</source>
        <translation>no es un modelo SentencePiece: no tiene piezas</translation>
    </message>
    <message>
        <source>only SentencePiece models of the type BPE are supported</source>
        <translation>solo se admiten modelos SentencePiece de tipo BPE</translation>
    </message>
    <message>
        <source>a character map for normalising is not supported</source>
        <translation>no se admite una tabla de caracteres para normalizar</translation>
    </message>
    <message>
        <source>a space put before every text is not supported</source>
        <translation>no se admite un espacio antepuesto a cada texto</translation>
    </message>
    <message>
        <source>spaces taken out of texts are not supported</source>
        <translation>no se admite quitar espacios de los textos</translation>
    </message>
    <message>
        <source>only spaces written as U+2581 before a word are supported</source>
        <translation>solo se admiten espacios escritos como U+2581 delante de una palabra</translation>
    </message>
    <message>
        <source>there is neither %1 nor %2</source>
        <translation>no está ni %1 ni %2</translation>
    </message>
    <message>
        <source>tensor &apos;%1&apos; is in two files, %2 and %3</source>
        <translation>el tensor «%1» está en dos archivos, %2 y %3</translation>
    </message>
    <message>
        <source>tensor &apos;%1&apos; is said to be in &apos;%2&apos;, which does not have it</source>
        <translation>se dice que el tensor «%1» está en «%2», que no lo tiene</translation>
    </message>
    <message>
        <source>tensor &apos;%1&apos; is said to be in &apos;%2&apos;, which is no file of this folder</source>
        <translation>se dice que el tensor «%1» está en «%2», que no es un archivo de esta carpeta</translation>
    </message>
    <message>
        <source>tensor &apos;%1&apos; is missing</source>
        <translation>falta el tensor «%1»</translation>
    </message>
    <message>
        <source>tensor &apos;%1&apos; has the unsupported dtype %2 (F32, F16 and BF16 are supported)</source>
        <translation>el tensor «%1» tiene el dtype %2, que no se admite (se admiten F32, F16 y BF16)</translation>
    </message>
    <message>
        <source>tensor &apos;%1&apos; has shape %2, the config asks for %3</source>
        <translation>el tensor «%1» tiene la forma %2, la configuración pide %3</translation>
    </message>
    <message>
        <source>tensor &apos;%1&apos; has the unknown dtype &apos;%2&apos;</source>
        <translation>el tensor «%1» tiene el dtype desconocido «%2»</translation>
    </message>
    <message>
        <source>tensor &apos;%1&apos; has the data offsets %2 where the tensor before it ends at %3</source>
        <translation>el tensor «%1» declara los desplazamientos %2, pero el tensor anterior termina en %3</translation>
    </message>
    <message>
        <source>tensor &apos;%1&apos; has data offsets that run backwards: %2</source>
        <translation>los desplazamientos del tensor «%1» van hacia atrás: %2</translation>
    </message>
    <message>
        <source>tensor &apos;%1&apos; ends at byte %2 of the data, but the file has %3</source>
        <translation>el tensor «%1» termina en el byte %2 de los datos, pero el archivo tiene %3</translation>
    </message>
    <message>
        <source>tensor &apos;%1&apos; has a size that cannot be: shape %2 of %3</source>
        <translation>el tensor «%1» tiene un tamaño imposible: forma %2 de %3</translation>
    </message>
    <message>
        <source>tensor &apos;%1&apos; has %2 bytes, but its shape %3 of %4 needs %5</source>
        <translation>el tensor «%1» tiene %2 bytes, pero su forma %3 de %4 necesita %5</translation>
    </message>
    <message>
        <source>not a safetensors file: only %1 bytes long</source>
        <translation>no es un archivo safetensors: solo tiene %1 bytes</translation>
    </message>
    <message>
        <source>the header length %1 is over the limit of %2 bytes</source>
        <translation>la longitud de la cabecera, %1, supera el límite de %2 bytes</translation>
    </message>
    <message>
        <source>the header length %1 is more than the %2 bytes that follow</source>
        <translation>la longitud de la cabecera, %1, es mayor que los %2 bytes que siguen</translation>
    </message>
    <message>
        <source>the tensors end at byte %1 of the data, but the file has %2</source>
        <translation>los tensores terminan en el byte %1 de los datos, pero el archivo tiene %2</translation>
    </message>
    <message>
        <source>the index is over the limit of %1 bytes</source>
        <translation>el índice supera el límite de %1 bytes</translation>
    </message>
    <message>
        <source>the index has no &apos;weight_map&apos;</source>
        <translation>el índice no tiene «weight_map»</translation>
    </message>
    <message>
        <source>the index has a &apos;weight_map&apos; that is no object</source>
        <translation>el «weight_map» del índice no es un objeto</translation>
    </message>
    <message>
        <source>the index has two &apos;weight_map&apos;</source>
        <translation>el índice tiene dos «weight_map»</translation>
    </message>
    <message>
        <source>the index has tensor &apos;%1&apos; twice</source>
        <translation>el índice tiene dos veces el tensor «%1»</translation>
    </message>
    <message>
        <source>the index gives no file name for tensor &apos;%1&apos;</source>
        <translation>el índice no da ningún nombre de archivo para el tensor «%1»</translation>
    </message>
    <message>
        <source>the index is not a JSON object</source>
        <translation>el índice no es un objeto JSON</translation>
    </message>
    <message>
        <source>the index is not valid JSON</source>
        <translation>el índice no es JSON válido</translation>
    </message>
    <message>
        <source>the index is not valid JSON (at byte %1)</source>
        <translation>el índice no es JSON válido (en el byte %1)</translation>
    </message>
    <message>
        <source>the index cannot be read: %1</source>
        <translation>no se puede leer el índice: %1</translation>
    </message>
    <message>
        <source>the header does not begin with &apos;{&apos;</source>
        <translation>la cabecera no empieza por «{»</translation>
    </message>
    <message>
        <source>the header is not a JSON object</source>
        <translation>la cabecera no es un objeto JSON</translation>
    </message>
    <message>
        <source>the header is not valid JSON</source>
        <translation>la cabecera no es JSON válido</translation>
    </message>
    <message>
        <source>the header is not valid JSON (at byte %1)</source>
        <translation>la cabecera no es JSON válido (en el byte %1)</translation>
    </message>
    <message>
        <source>the header cannot be read: %1</source>
        <translation>no se puede leer la cabecera: %1</translation>
    </message>
    <message>
        <source>the header has a &apos;__metadata__&apos; that is no object</source>
        <translation>el «__metadata__» de la cabecera no es un objeto</translation>
    </message>
    <message>
        <source>the header has a value in &apos;__metadata__&apos; that is no text</source>
        <translation>la cabecera tiene en «__metadata__» un valor que no es un texto</translation>
    </message>
    <message>
        <source>the header has the key &apos;%1&apos; twice</source>
        <translation>la cabecera tiene dos veces la clave «%1»</translation>
    </message>
    <message>
        <source>the header has the key &apos;%1&apos; twice in &apos;%2&apos;</source>
        <translation>la cabecera tiene dos veces la clave «%1» en «%2»</translation>
    </message>
    <message>
        <source>the header has no &apos;%1&apos; for tensor &apos;%2&apos;</source>
        <translation>la cabecera no tiene «%1» para el tensor «%2»</translation>
    </message>
    <message>
        <source>the header has a &apos;dtype&apos; that is no text for tensor &apos;%1&apos;</source>
        <translation>el «dtype» del tensor «%1» en la cabecera no es un texto</translation>
    </message>
    <message>
        <source>the header has a &apos;shape&apos; that is no list of whole numbers for tensor &apos;%1&apos;</source>
        <translation>el «shape» del tensor «%1» en la cabecera no es una lista de números enteros</translation>
    </message>
    <message>
        <source>the header has &apos;data_offsets&apos; that are not two whole numbers for tensor &apos;%1&apos;</source>
        <translation>los «data_offsets» del tensor «%1» en la cabecera no son dos números enteros</translation>
    </message>
    <message>
        <source>the header has a tensor &apos;%1&apos; that is no object</source>
        <translation>el tensor «%1» de la cabecera no es un objeto</translation>
    </message>
    <message>
        <source>the header has a tensor &apos;%1&apos; that is of more than 16 dimensions</source>
        <translation>el tensor «%1» de la cabecera tiene más de 16 dimensiones</translation>
    </message>
    <message>
        <source>the checkpoint has no token embedding (looked for %1)</source>
        <translation>el modelo no tiene la tabla de tokens (se ha buscado %1)</translation>
    </message>
    <message>
        <source>the checkpoint has no output head (&apos;%1&apos;)</source>
        <translation>el modelo no tiene la capa de salida («%1»)</translation>
    </message>
    <message>
        <source>the checkpoint has no vision tower (&apos;%1&apos;)</source>
        <translation>el modelo no tiene la torre de visión («%1»)</translation>
    </message>
    <message>
        <source>the index is nested deeper than %1 levels</source>
        <translation>el índice está anidado más de %1 niveles</translation>
    </message>
    <message>
        <source>the header is nested deeper than %1 levels</source>
        <translation>la cabecera está anidada más de %1 niveles</translation>
    </message>
</context>
<context>
    <name>SettingsScreen</name>
    <message>
        <source>This conversation</source>
        <translation>Esta conversación</translation>
    </message>
    <message>
        <source>The one that begins with your next question</source>
        <translation>La que empieza con tu próxima pregunta</translation>
    </message>
    <message>
        <source>System prompt</source>
        <translation>Instrucción del sistema</translation>
    </message>
    <message>
        <source>What the model is told before your first question, for example: Answer in one sentence.</source>
        <translation>Lo que se le dice al modelo antes de tu primera pregunta, por ejemplo: Responde en una frase.</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>Temperatura</translation>
    </message>
    <message>
        <source>0 always takes the likeliest token; higher is more varied</source>
        <translation>0 toma siempre el token más probable; más alto es más variado</translation>
    </message>
    <message>
        <source>Top-p</source>
        <translation>Top-p</translation>
    </message>
    <message>
        <source>Only the likeliest tokens that together have this share; 1 is off</source>
        <translation>Solo los tokens más probables que juntos suman esta parte; 1 lo desactiva</translation>
    </message>
    <message>
        <source>Top-k</source>
        <translation>Top-k</translation>
    </message>
    <message>
        <source>Only so many of the likeliest tokens; 0 is off</source>
        <translation>Solo tantos de los tokens más probables; 0 lo desactiva</translation>
    </message>
    <message>
        <source>Min-p</source>
        <translation>Min-p</translation>
    </message>
    <message>
        <source>Only tokens at least this likely beside the likeliest; 0 is off</source>
        <translation>Solo tokens al menos así de probables frente al más probable; 0 lo desactiva</translation>
    </message>
    <message>
        <source>Repetition penalty</source>
        <translation>Penalización por repetición</translation>
    </message>
    <message>
        <source>Above 1, tokens that stand there already become less likely</source>
        <translation>Por encima de 1, los tokens que ya aparecen se vuelven menos probables</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Semilla</translation>
    </message>
    <message>
        <source>The same seed, question and settings give the same answer</source>
        <translation>La misma semilla, pregunta y ajustes dan la misma respuesta</translation>
    </message>
    <message>
        <source>Longest answer</source>
        <translation>Respuesta más larga</translation>
    </message>
    <message>
        <source>In tokens</source>
        <translation>En tokens</translation>
    </message>
    <message>
        <source>Longest answer, in tokens</source>
        <translation>Respuesta más larga, en tokens</translation>
    </message>
    <message>
        <source>Settings of its own</source>
        <translation>Ajustes propios</translation>
    </message>
    <message>
        <source>Other than what new conversations begin with</source>
        <translation>Distinto de aquello con que empiezan las conversaciones nuevas</translation>
    </message>
    <message>
        <source>Set back</source>
        <translation>Restablecer</translation>
    </message>
    <message>
        <source>Take what new conversations begin with</source>
        <translation>Usar aquello con que empiezan las conversaciones nuevas</translation>
    </message>
    <message>
        <source>New conversations</source>
        <translation>Conversaciones nuevas</translation>
    </message>
    <message>
        <source>Temperature of new conversations</source>
        <translation>Temperatura de las conversaciones nuevas</translation>
    </message>
    <message>
        <source>Longest answer of new conversations, in tokens</source>
        <translation>Respuesta más larga en conversaciones nuevas, en tokens</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>Programa</translation>
    </message>
    <message>
        <source>Look</source>
        <translation>Aspecto</translation>
    </message>
    <message>
        <source>As the desktop</source>
        <translation>Como el escritorio</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Claro</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Oscuro</translation>
    </message>
    <message>
        <source>Colours of the program</source>
        <translation>Colores del programa</translation>
    </message>
    <message>
        <source>Read pictures while you type</source>
        <translation>Leer las imágenes mientras escribes</translation>
    </message>
    <message>
        <source>Encoding and prefill of a picture begin when it is attached, so that less is left to do after sending</source>
        <translation>La codificación y el prefill de una imagen empiezan al adjuntarla, para que quede menos por hacer después de enviar</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>Hilos</translation>
    </message>
    <message>
        <source>Processor threads that calculate; holds from the next time a model is loaded</source>
        <translation>Hilos del procesador que calculan; vale desde la próxima vez que se cargue un modelo</translation>
    </message>
    <message>
        <source>as many as there are cores</source>
        <translation>tantos como núcleos</translation>
    </message>
    <message>
        <source>Processor threads</source>
        <translation>Hilos del procesador</translation>
    </message>
    <message>
        <source>Conversations and pictures</source>
        <translation>Conversaciones e imágenes</translation>
    </message>
    <message>
        <source>Kept on this machine only, in %1</source>
        <translation>Se guardan solo en este equipo, en %1</translation>
    </message>
    <message>
        <source>Show folder</source>
        <translation>Mostrar la carpeta</translation>
    </message>
    <message>
        <source>Keyboard</source>
        <translation>Teclado</translation>
    </message>
    <message>
        <source>New conversation</source>
        <translation>Conversación nueva</translation>
    </message>
    <message>
        <source>Ctrl N</source>
        <translation>Ctrl N</translation>
    </message>
    <message>
        <source>Search conversations</source>
        <translation>Buscar conversaciones</translation>
    </message>
    <message>
        <source>Ctrl F</source>
        <translation>Ctrl F</translation>
    </message>
    <message>
        <source>Choose pictures</source>
        <translation>Elegir imágenes</translation>
    </message>
    <message>
        <source>Ctrl O</source>
        <translation>Ctrl O</translation>
    </message>
    <message>
        <source>Paste a picture</source>
        <translation>Pegar una imagen</translation>
    </message>
    <message>
        <source>Ctrl V</source>
        <translation>Ctrl V</translation>
    </message>
    <message>
        <source>Send, or a new line</source>
        <translation>Enviar, o línea nueva</translation>
    </message>
    <message>
        <source>Enter, Shift Enter</source>
        <translation>Intro, Mayús Intro</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Parar</translation>
    </message>
    <message>
        <source>Esc</source>
        <translation>Esc</translation>
    </message>
    <message>
        <source>Chat, compare, models, settings</source>
        <translation>Chat, comparar, modelos, ajustes</translation>
    </message>
    <message>
        <source>Alt 1 to Alt 4</source>
        <translation>Alt 1 a Alt 4</translation>
    </message>
    <message>
        <source>Fold the conversations away</source>
        <translation>Plegar las conversaciones</translation>
    </message>
    <message>
        <source>Ctrl B</source>
        <translation>Ctrl B</translation>
    </message>
    <message>
        <source>Fold the panel away</source>
        <translation>Plegar el panel</translation>
    </message>
    <message>
        <source>F9</source>
        <translation>F9</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>Salir</translation>
    </message>
    <message>
        <source>Ctrl Q</source>
        <translation>Ctrl Q</translation>
    </message>
    <message>
        <source>Take a picture of the screen</source>
        <translation>Capturar la pantalla</translation>
    </message>
    <message>
        <source>Ctrl Shift S</source>
        <translation>Ctrl Mayús S</translation>
    </message>
    <message>
        <source>Export the conversation</source>
        <translation>Exportar la conversación</translation>
    </message>
    <message>
        <source>Ctrl E</source>
        <translation>Ctrl E</translation>
    </message>
    <message>
        <source>Marks in the full picture</source>
        <translation>Marcas en la imagen completa</translation>
    </message>
    <message>
        <source>M</source>
        <translation>M</translation>
    </message>
    <message>
        <source>Read up and down the conversation</source>
        <translation>Recorrer la conversación</translation>
    </message>
    <message>
        <source>Page Up, Page Down</source>
        <translation>Re Pág, Av Pág</translation>
    </message>
</context>
<context>
    <name>StageBar</name>
    <message>
        <source>First token after %1</source>
        <translation>Primer token tras %1</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
</context>
<context>
    <name>SweepChart</name>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>Depth %1: %2, %3 agreement</source>
        <translation>Profundidad %1: %2, %3 de coincidencia</translation>
    </message>
    <message>
        <source>Sweep over depth. %1</source>
        <translation>Barrido de profundidades. %1</translation>
    </message>
    <message>
        <source>Sweep over depth, not run yet</source>
        <translation>Barrido de profundidades, aún no ejecutado</translation>
    </message>
    <message>
        <source>Time to first token</source>
        <translation>Tiempo hasta el primer token</translation>
    </message>
    <message>
        <source>Agreement with full</source>
        <translation>Coincidencia con el completo</translation>
    </message>
</context>
<context>
    <name>SweepPanel</name>
    <message>
        <source>Sweep over depth</source>
        <translation>Barrido de profundidades</translation>
    </message>
    <message>
        <source>Answers the question at about ten depths and shows how time to the first token and agreement with the full model change.</source>
        <translation>Responde la pregunta con unas diez profundidades y muestra cómo cambian el tiempo hasta el primer token y la coincidencia con el modelo completo.</translation>
    </message>
    <message>
        <source>Deepest with ≥ 97 % agreement</source>
        <translation>La mayor con ≥ 97 % de coincidencia</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 de %2</translation>
    </message>
    <message>
        <source>First token there</source>
        <translation>Primer token allí</translation>
    </message>
    <message>
        <source>Agreement is the share of the answer&apos;s tokens before it parts from the full model&apos;s. This is one question: another may bear more, or less.</source>
        <translation>La coincidencia es la parte de los tokens de la respuesta antes de que se separe de la del modelo completo. Es una sola pregunta: otra puede admitir más, o menos.</translation>
    </message>
    <message>
        <source>Stop sweep</source>
        <translation>Parar el barrido</translation>
    </message>
    <message>
        <source>Run sweep</source>
        <translation>Ejecutar el barrido</translation>
    </message>
    <message>
        <source>Takes as long as about ten comparisons</source>
        <translation>Tarda como unas diez comparaciones</translation>
    </message>
    <message>
        <source>Use this depth</source>
        <translation>Usar esta profundidad</translation>
    </message>
    <message>
        <source>Prune %1 of %2 layers in the next prefill</source>
        <translation>Podar %1 de %2 capas en el próximo prefill</translation>
    </message>
</context>
<context>
    <name>Toggle</name>
    <message>
        <source>On</source>
        <translation>Sí</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>No</translation>
    </message>
</context>
<context>
    <name>poplens::ui::AttachmentListModel</name>
    <message>
        <source>%1 is no file on this machine: save the picture first.</source>
        <translation>%1 no es un archivo de este equipo: guarda antes la imagen.</translation>
    </message>
</context>
<context>
    <name>poplens::ui::Chat</name>
    <message>
        <source>Pasted picture.png</source>
        <translation>Imagen pegada.png</translation>
    </message>
    <message>
        <source>A question of %1 characters is too long: it may have %2.</source>
        <translation>Una pregunta de %1 caracteres es demasiado larga: puede tener %2.</translation>
    </message>
</context>
<context>
    <name>poplens::ui::ChatMessage</name>
    <message>
        <source>Remove the picture, or take an undamaged copy of its file.</source>
        <translation>Quita la imagen, o usa una copia de su archivo que no esté dañada.</translation>
    </message>
    <message>
        <source>Give the pictures a smaller budget, or begin a new conversation.</source>
        <translation>Da menos tokens a las imágenes, o empieza una conversación nueva.</translation>
    </message>
    <message>
        <source>Remove the picture, or choose a model that reads pictures.</source>
        <translation>Quita la imagen, o elige un modelo que lea imágenes.</translation>
    </message>
    <message>
        <source>Choose another model, or try again.</source>
        <translation>Elige otro modelo, o inténtalo de nuevo.</translation>
    </message>
    <message>
        <source>Choose a smaller model, or close other programs.</source>
        <translation>Elige un modelo más pequeño, o cierra otros programas.</translation>
    </message>
</context>
<context>
    <name>poplens::ui::ChatStore</name>
    <message>
        <source>The conversation was not exported. %1.</source>
        <translation>La conversación no se exportó. %1.</translation>
    </message>
    <message>
        <source>Conversations cannot be kept this time: %1.</source>
        <translation>Esta vez las conversaciones no se pueden guardar: %1.</translation>
    </message>
    <message>
        <source>This could not be stored: %1.</source>
        <translation>Esto no se ha podido guardar: %1.</translation>
    </message>
</context>
<context>
    <name>poplens::ui::Compare</name>
    <message>
        <source>seed %1</source>
        <translation>semilla %1</translation>
    </message>
    <message>
        <source>one warm-up and 1 run each</source>
        <translation>un calentamiento y 1 ejecución de cada uno</translation>
    </message>
    <message>
        <source>one warm-up and %1 runs each, order alternating</source>
        <translation>un calentamiento y %1 ejecuciones de cada uno, en orden alterno</translation>
    </message>
    <message>
        <source>picture features shared, no prompt cache</source>
        <translation>rasgos de la imagen compartidos, sin caché de la entrada</translation>
    </message>
    <message>
        <source>nothing from a cache</source>
        <translation>nada de una caché</translation>
    </message>
    <message>
        <source>waiting for the engine …</source>
        <translation>esperando al motor …</translation>
    </message>
    <message>
        <source>full model</source>
        <translation>modelo completo</translation>
    </message>
    <message>
        <source>POP</source>
        <translation>POP</translation>
    </message>
    <message>
        <source>Warming up, %1 … %2 %</source>
        <translation>Calentando, %1 … %2 %</translation>
    </message>
    <message>
        <source>Run %1 of %2, %3 … %4 %</source>
        <translation>Ejecución %1 de %2, %3 … %4 %</translation>
    </message>
    <message>
        <source>Stopped before it was done.</source>
        <translation>Parado antes de terminar.</translation>
    </message>
    <message>
        <source>Written to %1</source>
        <translation>Escrito en %1</translation>
    </message>
</context>
<context>
    <name>poplens::ui::ConversationExporter</name>
    <message>
        <source>There is no conversation to export yet.</source>
        <translation>Todavía no hay conversación que exportar.</translation>
    </message>
    <message>
        <source>The conversation can be exported when its answer is complete.</source>
        <translation>La conversación se puede exportar cuando su respuesta esté completa.</translation>
    </message>
    <message>
        <source>%1 is no file on this machine.</source>
        <translation>%1 no es un archivo de este equipo.</translation>
    </message>
    <message>
        <source>Exported to %1.</source>
        <translation>Exportada a %1.</translation>
    </message>
    <message>
        <source>Exported to %1, with 1 picture beside it.</source>
        <translation>Exportada a %1, con 1 imagen al lado.</translation>
    </message>
    <message>
        <source>Exported to %1, with %2 pictures beside it.</source>
        <translation>Exportada a %1, con %2 imágenes al lado.</translation>
    </message>
    <message>
        <source>No longer there: %1.</source>
        <translation>Ya no están: %1.</translation>
    </message>
</context>
<context>
    <name>poplens::ui::ConversationListModel</name>
    <message>
        <source>today</source>
        <translation>hoy</translation>
    </message>
    <message>
        <source>yesterday</source>
        <translation>ayer</translation>
    </message>
    <message>
        <source>1 picture</source>
        <translation>1 imagen</translation>
    </message>
    <message>
        <source>%1 pictures</source>
        <translation>%1 imágenes</translation>
    </message>
</context>
<context>
    <name>poplens::ui::EngineState</name>
    <message>
        <source>loading … %1 of %2</source>
        <translation>cargando … %1 de %2</translation>
    </message>
    <message>
        <source>loading …</source>
        <translation>cargando …</translation>
    </message>
    <message>
        <source>no model chosen</source>
        <translation>ningún modelo elegido</translation>
    </message>
    <message>
        <source>loads when it is needed</source>
        <translation>se carga cuando haga falta</translation>
    </message>
    <message>
        <source>cannot be loaded</source>
        <translation>no se puede cargar</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
</context>
<context>
    <name>poplens::ui::ImportanceModel</name>
    <message>
        <source>What was measured belongs to another state of this model&apos;s weights.</source>
        <translation>Lo medido corresponde a otro estado de los pesos de este modelo.</translation>
    </message>
</context>
<context>
    <name>poplens::ui::ModelListModel</name>
    <message>
        <source>comes with PopLens</source>
        <translation>viene con PopLens</translation>
    </message>
    <message>
        <source>Hugging Face cache</source>
        <translation>Caché de Hugging Face</translation>
    </message>
    <message>
        <source>another program&apos;s</source>
        <translation>de otro programa</translation>
    </message>
    <message>
        <source>added folder</source>
        <translation>carpeta añadida</translation>
    </message>
    <message>
        <source>%1 B parameters</source>
        <translation>%1 mil millones de parámetros</translation>
    </message>
    <message>
        <source>%1 M parameters</source>
        <translation>%1 M de parámetros</translation>
    </message>
    <message>
        <source>%1 of weights</source>
        <translation>%1 de pesos</translation>
    </message>
    <message>
        <source>reads pictures</source>
        <translation>lee imágenes</translation>
    </message>
    <message>
        <source>text only</source>
        <translation>solo texto</translation>
    </message>
    <message>
        <source>Take the model&apos;s Hugging Face edition (a folder with .safetensors files).</source>
        <translation>Usa la edición de Hugging Face del modelo (una carpeta con archivos .safetensors).</translation>
    </message>
    <message>
        <source>Take a Qwen3-VL, Gemma 3 or Llama 3 model in its ordinary BF16 edition.</source>
        <translation>Usa un modelo Qwen3-VL, Gemma 3 o Llama 3 en su edición BF16 normal.</translation>
    </message>
    <message>
        <source>Download it once more: a file is missing or damaged.</source>
        <translation>Descárgalo otra vez: falta un archivo o está dañado.</translation>
    </message>
    <message>
        <source>Close other programs, or take a smaller model.</source>
        <translation>Cierra otros programas, o usa un modelo más pequeño.</translation>
    </message>
    <message>
        <source>needs %1 of %2 free</source>
        <translation>necesita %1 de %2 libres</translation>
    </message>
    <message>
        <source>Choose another model.</source>
        <translation>Elige otro modelo.</translation>
    </message>
    <message>
        <source>%1 · %2 of memory free</source>
        <translation>%1 · %2 de memoria libre</translation>
    </message>
</context>
<context>
    <name>poplens::ui::PictureDesk</name>
    <message>
        <source>This model reads no pictures.</source>
        <translation>Este modelo no lee imágenes.</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1 is larger than 512 MB.</source>
        <translation>%1 ocupa más de 512 MB.</translation>
    </message>
    <message>
        <source>%1 cannot be stored as PNG.</source>
        <translation>%1 no se puede guardar como PNG.</translation>
    </message>
</context>
<context>
    <name>poplens::ui::PortalRequest</name>
    <message>
        <source>The desktop&apos;s message bus cannot be reached, so that the screen cannot be taken: %1</source>
        <translation>No se puede acceder al bus de mensajes del escritorio, y por eso no se puede capturar la pantalla: %1</translation>
    </message>
    <message>
        <source>The desktop&apos;s portal ended before it gave a picture of the screen.</source>
        <translation>El portal del escritorio terminó antes de dar una imagen de la pantalla.</translation>
    </message>
    <message>
        <source>This desktop lets no program take the screen (%1); take it with the desktop&apos;s own program, and paste it.</source>
        <translation>Este escritorio no deja a ningún programa capturar la pantalla (%1); captúrela con el programa del escritorio y péguela.</translation>
    </message>
    <message>
        <source>The desktop gave no picture of the screen.</source>
        <translation>El escritorio no dio ninguna imagen de la pantalla.</translation>
    </message>
</context>
<context>
    <name>poplens::ui::ScreenCapture</name>
    <message>
        <source>The desktop gave no picture of the screen in time.</source>
        <translation>El escritorio no dio a tiempo ninguna imagen de la pantalla.</translation>
    </message>
    <message>
        <source>The screen cannot be taken here; take it with the desktop&apos;s own program, and paste it.</source>
        <translation>Aquí no se puede capturar la pantalla; captúrela con el programa del escritorio y péguela.</translation>
    </message>
    <message>
        <source>Screen.png</source>
        <translation>Pantalla.png</translation>
    </message>
</context>
<context>
    <name>poplens::ui::StageBarModel</name>
    <message>
        <source>the picture&apos;s features come from the cache</source>
        <translation>los rasgos de la imagen vienen de la caché</translation>
    </message>
    <message>
        <source>%1 tokens come from the cache</source>
        <translation>%1 tokens vienen de la caché</translation>
    </message>
    <message>
        <source>%1 tokens and the picture&apos;s features come from the cache</source>
        <translation>%1 tokens y los rasgos de la imagen vienen de la caché</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>Espera</translation>
    </message>
    <message>
        <source>Decode + resize</source>
        <translation>Decodificar + escalar</translation>
    </message>
    <message>
        <source>Vision encoder</source>
        <translation>Codificador visual</translation>
    </message>
    <message>
        <source>Prefill</source>
        <translation>Prefill</translation>
    </message>
    <message>
        <source>Boundary</source>
        <translation>Frontera</translation>
    </message>
    <message>
        <source>First token</source>
        <translation>Primer token</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>%1, layer %2 of %3 · %4</source>
        <translation>%1, capa %2 de %3 · %4</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
</context>
<context>
    <name>poplens::ui::SweepModel</name>
    <message>
        <source>waiting for the engine …</source>
        <translation>esperando al motor …</translation>
    </message>
    <message>
        <source>Warming up … %1 %</source>
        <translation>Calentando … %1 %</translation>
    </message>
    <message>
        <source>Run %1 of %2 … %3 %</source>
        <translation>Ejecución %1 de %2 … %3 %</translation>
    </message>
</context>
</TS>
