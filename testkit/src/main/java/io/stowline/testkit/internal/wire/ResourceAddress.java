package io.stowline.testkit.internal.wire;

/**
 * Address of a queue or a container, or of something in it.
 *
 * @param name the name of the queue or container; empty for the account
 * @param inner the blob, or the messages, as decoded path; empty for the queue or container
 */
public record ResourceAddress(String name, String inner) {

    public static ResourceAddress of(StorageRequest request) {
        String resource = request.resource();
        int slash = resource.indexOf('/');
        return slash < 0
                ? new ResourceAddress(Targets.decodedPath(resource), "")
                : new ResourceAddress(
                        Targets.decodedPath(resource.substring(0, slash)),
                        Targets.decodedPath(resource.substring(slash + 1)));
    }
}
