package io.stowline.testkit.internal.strict.request;

/**
 * The address of a container or a blob.
 *
 * @param container the container's name
 * @param blob the blob's name, decoded; empty for a container
 */
public record BlobAddress(String container, String blob) {

    public static BlobAddress of(StrictRequest request) {
        String resource = request.resource();
        int slash = resource.indexOf('/');
        return slash < 0
                ? new BlobAddress(resource, "")
                : new BlobAddress(resource.substring(0, slash), RawText.decoded(resource.substring(slash + 1)));
    }

    public boolean isBlob() {
        return !blob.isEmpty();
    }
}
