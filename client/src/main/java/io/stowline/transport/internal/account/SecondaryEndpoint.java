package io.stowline.transport.internal.account;

import java.net.URI;

/**
 * The read-only copy of one service of an account, beside the primary that requests are addressed to. Key, signature and token are the
 * same; what is signed names the account without the copy's suffix, but for a path in which the suffix stands (the page "Authorize with
 * Shared Key").
 *
 * @param primary the root of the primary, without a trailing slash
 * @param root the root of the copy, without a trailing slash
 */
public record SecondaryEndpoint(URI primary, URI root) {

    /**
     * Finds the copy of a service.
     *
     * @throws IllegalArgumentException if none is known
     */
    public static SecondaryEndpoint of(StorageAccount account, Service service) {
        return account.secondary(service)
                .map(root -> new SecondaryEndpoint(account.endpoint(service), root))
                .orElseThrow(() -> new IllegalArgumentException("the secondary " + service.host()
                        + " endpoint of this account is not known: readFrom needs one; it follows from an endpoint of"
                        + " Azure's form or the emulator's, else give " + service.secondarySetting() + " beside "
                        + service.setting() + " in the connection string"));
    }

    /** Returns the same address at the copy. */
    public String url(String url) {
        int authority = url.indexOf("://") + 3;
        int path = authority;
        while (path < url.length() && url.charAt(path) != '/' && url.charAt(path) != '?') {
            path++;
        }
        String account = primary.getRawPath();
        if (!url.startsWith(account, path)) {
            throw new IllegalArgumentException("not an address of " + primary);
        }
        return root + url.substring(path + account.length());
    }
}
