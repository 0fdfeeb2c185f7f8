package io.stowline.benchmarks.side.work;

/** The amount of metadata beside an entity's values, by the Accept header of a request. */
public enum Metadata {
    NONE,
    MINIMAL,
    FULL;

    public static Metadata of(String accept) {
        if (accept.contains("fullmetadata")) {
            return FULL;
        }
        return accept.contains("nometadata") ? NONE : MINIMAL;
    }

    public String contentType() {
        return switch (this) {
            case NONE -> "application/json;odata=nometadata;streaming=true;charset=utf-8";
            case MINIMAL -> "application/json;odata=minimalmetadata;streaming=true;charset=utf-8";
            case FULL -> "application/json;odata=fullmetadata;streaming=true;charset=utf-8";
        };
    }
}
