package io.stowline.service.internal;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An IPv6 address in brackets, as the host of a URL (RFC 3986, section 3.2.2). Browsers send its shortest form: small letters, groups without
 * leading zeros, and {@code ::} for the first longest run of at least two zero groups. Stateless.
 */
final class Ipv6Literal {

    private static final int GROUPS = 8;
    private static final int MAX_OCTET = 255;
    private static final Pattern GROUP = Pattern.compile("[0-9a-f]{1,4}");
    private static final Pattern IPV4_END =
            Pattern.compile("(.*:)([0-9]{1,3})\\.([0-9]{1,3})\\.([0-9]{1,3})\\.([0-9]{1,3})");

    private Ipv6Literal() {}

    /** Returns why browsers do not send a host in brackets; {@code null} if they send it. */
    static @Nullable String refusal(String host) {
        int[] groups = groups(host.substring(1, host.length() - 1));
        if (groups == null) {
            return "a host in brackets is an IPv6 address, and " + host + " is none";
        }
        String sent = "[" + shortest(groups) + "]";
        return sent.equals(host) ? null : "browsers send an IPv6 address in its shortest form: " + sent;
    }

    /** Returns the groups of an address; {@code null} if it is none. */
    private static int @Nullable [] groups(String address) {
        String hex = withoutIpv4(address);
        int gap = hex.indexOf("::");
        if (gap < 0) {
            int[] all = parts(hex);
            return all != null && all.length == GROUPS ? all : null;
        }
        int[] before = parts(hex.substring(0, gap));
        int[] behind = parts(hex.substring(gap + 2));
        if (before == null || behind == null || before.length + behind.length >= GROUPS) {
            return null;
        }
        int[] all = new int[GROUPS];
        System.arraycopy(before, 0, all, 0, before.length);
        System.arraycopy(behind, 0, all, GROUPS - behind.length, behind.length);
        return all;
    }

    /** The last 32 bits may stand as an IPv4 address. */
    private static String withoutIpv4(String address) {
        Matcher mixed = IPV4_END.matcher(address);
        if (!mixed.matches()) {
            return address;
        }
        int[] octets = new int[4];
        for (int i = 0; i < octets.length; i++) {
            octets[i] = Integer.parseInt(mixed.group(i + 2));
            if (octets[i] > MAX_OCTET) {
                return address;
            }
        }
        return mixed.group(1)
                + Integer.toHexString(octets[0] << 8 | octets[1])
                + ':'
                + Integer.toHexString(octets[2] << 8 | octets[3]);
    }

    private static int @Nullable [] parts(String text) {
        String[] parts = text.isEmpty() ? new String[0] : text.split(":", -1);
        int[] values = new int[parts.length];
        for (int i = 0; i < parts.length; i++) {
            if (!GROUP.matcher(parts[i]).matches()) {
                return null;
            }
            values[i] = Integer.parseInt(parts[i], 16);
        }
        return values;
    }

    private static String shortest(int[] groups) {
        int from = GROUPS;
        int length = 1;
        for (int i = 0; i < GROUPS; i++) {
            int zeros = 0;
            while (i + zeros < GROUPS && groups[i + zeros] == 0) {
                zeros++;
            }
            if (zeros > length) {
                from = i;
                length = zeros;
            }
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < GROUPS; i++) {
            if (i == from) {
                text.append("::");
                i += length - 1;
            } else {
                text.append(text.isEmpty() || text.charAt(text.length() - 1) == ':' ? "" : ":")
                        .append(Integer.toHexString(groups[i]));
            }
        }
        return text.toString();
    }
}
