package io.stowline.queue;

/**
 * The encoding of a body's bytes as the text that the service keeps. A queue writes in this encoding and reads either form, see
 * {@link MessageQueue}.
 */
public enum MessageEncoding {
    /** Base64: carries any bytes, 49,152 at most. The default, and what the older storage libraries and Azure Functions expect. */
    BASE64,
    /**
     * The bytes themselves, as text: they have to be UTF-8 and hold only what XML 1.0 allows, 65,536 bytes at most. Readable by eye and
     * smaller on the wire; the default of the current Azure SDK.
     */
    NONE
}
