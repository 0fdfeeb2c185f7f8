package io.stowline.transport.internal;

import io.stowline.transport.internal.StorageAccount.Service;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A host name of the form {@code <account>.<kind>.<suffix>}, with what may stand between: {@code acct-secondary.blob…},
 * {@code acct-ipv6.blob…} and the DNS zone of {@code acct.z01.blob.storage.azure.net}.
 *
 * @param account the account's name
 * @param variant what follows it, such as {@code -secondary}; mostly empty
 * @param zone the DNS zone with its dot; mostly empty
 * @param kind the service, ours or another one of the account
 * @param suffix the domain of the cloud
 */
record StandardHost(String account, String variant, String zone, String kind, String suffix) {

    private static final Pattern FORM = Pattern.compile(
            "([a-z0-9]{3,24})((?:-[a-z0-9]+)*)\\.((?:z\\d{1,2}\\.)?)(blob|queue|table|file|dfs|web)\\.(.+)");
    /** The clouds whose names nobody else can have, so that what stands before them is the account. */
    private static final Set<String> CLOUDS = Set.of(
            "core.windows.net",
            "core.chinacloudapi.cn",
            "core.usgovcloudapi.net",
            "core.cloudapi.de",
            "storage.azure.net");

    private static final String SECONDARY = "-secondary";

    static @Nullable StandardHost of(String host) {
        Matcher parts = FORM.matcher(host.toLowerCase(Locale.ROOT));
        return parts.matches()
                ? new StandardHost(parts.group(1), parts.group(2), parts.group(3), parts.group(4), parts.group(5))
                : null;
    }

    /** Whether the suffix is one of Azure's own; behind another one the form may be an accident. */
    boolean certain() {
        return CLOUDS.contains(suffix);
    }

    @Nullable
    Service service() {
        for (Service service : Service.values()) {
            if (service.host().equals(kind)) {
                return service;
            }
        }
        return null;
    }

    String of(Service service) {
        return account + variant + "." + zone + service.host() + "." + suffix;
    }

    boolean isSecondary() {
        return variant.startsWith(SECONDARY);
    }

    String secondary() {
        return account + SECONDARY + variant + "." + zone + kind + "." + suffix;
    }
}
