package io.stowline.examples.photodrop;

import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The type of a photo: the formats that browsers show and {@code javax.imageio} reads. */
enum PhotoType {
    JPEG("image/jpeg", "jpg"),
    PNG("image/png", "png");

    /** The names that this service gives to blobs: 122 random bits and an extension. */
    static final String NAME_PATTERN = "[0-9a-f-]{36}\\.(?:jpg|png)";

    private final String contentType;
    private final String extension;

    PhotoType(String contentType, String extension) {
        this.contentType = contentType;
        this.extension = extension;
    }

    /** Returns the type with this content type. */
    static Optional<PhotoType> of(@Nullable String contentType) {
        return Arrays.stream(values())
                .filter(type -> type.contentType.equals(contentType))
                .findFirst();
    }

    /** Returns the type of a blob whose name matches {@link #NAME_PATTERN}. */
    static PhotoType ofName(String photo) {
        return photo.endsWith(PNG.extension) ? PNG : JPEG;
    }

    String contentType() {
        return contentType;
    }

    String extension() {
        return extension;
    }
}
