package io.stowline.blob.internal.copy;

import io.stowline.blob.BlobInfo;
import io.stowline.transport.internal.outcome.WriteIdMetadata;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The facts of the source of a copy. Immutable.
 *
 * @param info the facts as users see them
 * @param ofContent the hidden metadata that describe the content
 */
record SourceInfo(BlobInfo info, Map<String, String> ofContent) {

    /** Returns facts with the metadata that the response has. */
    static SourceInfo of(BlobInfo info, @Nullable Map<String, String> metadata) {
        return new SourceInfo(info, WriteIdMetadata.ofContent(metadata));
    }

    /** Returns the metadata of the copy with what describes its content, unless that is there. */
    Map<String, String> in(Map<String, String> metadata) {
        Map<String, String> all = new HashMap<>(metadata);
        ofContent.forEach((name, value) -> {
            if (all.keySet().stream().noneMatch(name::equalsIgnoreCase)) {
                all.put(name, value);
            }
        });
        return all;
    }
}
