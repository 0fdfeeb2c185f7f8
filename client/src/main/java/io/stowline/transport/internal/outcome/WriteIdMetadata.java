package io.stowline.transport.internal.outcome;

import io.stowline.transport.internal.request.RequestIds;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The id of a write in the metadata that it leaves, which identifies it after a lost response. Users never see it. */
public final class WriteIdMetadata {

    /** The name of the marker; users cannot have it. */
    public static final String NAME = "stowlinewrite";

    private static final int ID_LENGTH = 36;

    /** The characters that it adds to the names and values of metadata. */
    public static final int SIZE = NAME.length() + ID_LENGTH;

    private WriteIdMetadata() {}

    /** Makes the id of a write. */
    public static String newId() {
        return RequestIds.next();
    }

    /**
     * Adds the marker.
     *
     * @param metadata what else is written
     * @return both
     */
    public static Map<String, String> in(Map<String, String> metadata, String id) {
        Map<String, String> marked = new HashMap<>(metadata);
        marked.put(NAME, id);
        return marked;
    }

    /**
     * Returns whether a name is that of the marker.
     *
     * @param name a name, in any case
     */
    public static boolean is(String name) {
        return NAME.equalsIgnoreCase(name);
    }

    /**
     * Returns the id in metadata, if there is one.
     *
     * @param metadata what was read
     * @return the id, or {@code null}
     */
    public static @Nullable String of(@Nullable Map<String, String> metadata) {
        return StoredTexts.value(metadata, NAME);
    }

    /**
     * Returns metadata as their owner wrote them.
     *
     * @param metadata the metadata that were read
     * @return the metadata without the marker, the {@link SourceTime} and the {@link OriginalContent}, with names in any case
     */
    public static Map<String, String> hiddenIn(@Nullable Map<String, String> metadata) {
        Map<String, String> shown = new HashMap<>(StoredTexts.metadata(metadata));
        shown.keySet().removeIf(name -> is(name) || SourceTime.is(name) || OriginalContent.is(name));
        return StoredTexts.metadata(shown);
    }

    /**
     * Returns the hidden entries that describe the content, which a copy of it keeps.
     *
     * @param metadata the metadata that were read
     * @return the {@link SourceTime} and the {@link OriginalContent}, as far as they are there
     */
    public static Map<String, String> ofContent(@Nullable Map<String, String> metadata) {
        Map<String, String> kept = new HashMap<>(StoredTexts.metadata(metadata));
        kept.keySet().removeIf(name -> !SourceTime.is(name) && !OriginalContent.is(name));
        return StoredTexts.metadata(kept);
    }
}
