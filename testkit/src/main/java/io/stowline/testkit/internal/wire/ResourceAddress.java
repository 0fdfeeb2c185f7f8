package io.stowline.testkit.internal.wire;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Address of a queue or a container, or of something in it.
 *
 * @param name the name of the queue or container; empty for the account
 * @param inner the blob, or the messages, as decoded path; empty for the queue or container
 */
public record ResourceAddress(String name, String inner) {

    private static final Pattern ADDRESS = Pattern.compile("https?://([^/]+)/(.+)");

    /**
     * Reads the address of a source, at the host of its account or below the path of an emulator.
     *
     * @return its parts, or {@code null} if it is in another account or is no address
     */
    public static @Nullable ResourceAddress inAccount(String account, String address) {
        Matcher parts = ADDRESS.matcher(Targets.path(address));
        if (!parts.matches()) {
            return null;
        }
        String path = parts.group(2);
        if (parts.group(1).startsWith(account + ".")) {
            return of(path);
        }
        return path.startsWith(account + "/") ? of(path.substring(account.length() + 1)) : null;
    }

    public static ResourceAddress of(StorageRequest request) {
        return of(request.resource());
    }

    private static ResourceAddress of(String resource) {
        int slash = resource.indexOf('/');
        return slash < 0
                ? new ResourceAddress(Targets.decodedPath(resource), "")
                : new ResourceAddress(
                        Targets.decodedPath(resource.substring(0, slash)),
                        Targets.decodedPath(resource.substring(slash + 1)));
    }
}
