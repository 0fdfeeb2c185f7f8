package io.stowline.transport.internal.netty;

import io.netty.util.NetUtil;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Hosts that are reached past a proxy. An entry is text: nothing in it is taken for a regular expression, and no name is looked up.
 * Immutable.
 */
final class DirectHosts {

    /** The hosts of this machine, where emulators are. */
    private static final String THIS_MACHINE = "localhost,127.0.0.0/8,::1";

    /** The beginning of addresses in a pattern of azure-core. */
    private static final Pattern NUMERIC = Pattern.compile("[0-9]+(?:\\\\\\.[0-9]+)*\\.\\*\\?");

    private final List<Entry> entries;

    private DirectHosts(List<Entry> entries) {
        this.entries = List.copyOf(entries);
    }

    /** A test of one entry. */
    @FunctionalInterface
    private interface Entry {

        /**
         * Returns whether a host is meant.
         *
         * @param host its name or address, without brackets and in lower case
         * @param address its bytes if it is an address, or else {@code null}
         */
        boolean names(String host, byte @Nullable [] address, int port);
    }

    /**
     * Returns this machine and the entries of {@code NO_PROXY}: hosts with all below them, addresses, blocks of
     * addresses and {@code *}, each with or without a port.
     *
     * @param list the entries between commas or blanks, or {@code null} for none
     */
    static DirectHosts ofNoProxy(@Nullable String list) {
        String all = list == null ? THIS_MACHINE : list + "," + THIS_MACHINE;
        return new DirectHosts(Arrays.stream(all.toLowerCase(Locale.ROOT).split("[,\\s]+"))
                .filter(text -> !text.isEmpty())
                .map(DirectHosts::withPort)
                .toList());
    }

    /**
     * Returns this machine and the entries of the JVM's property {@code http.nonProxyHosts}: hosts, in which asterisks stand for any text.
     *
     * @param list the entries between bars, or {@code null} for none
     */
    static DirectHosts ofJvm(@Nullable String list) {
        List<Entry> entries = new ArrayList<>(ofNoProxy(null).entries);
        if (list != null) {
            Arrays.stream(list.toLowerCase(Locale.ROOT).split("\\|"))
                    .map(text -> bare(text.strip()))
                    .filter(text -> !text.isEmpty())
                    .map(DirectHosts::pattern)
                    .forEach(entries::add);
        }
        return new DirectHosts(entries);
    }

    /**
     * Returns the hosts of the application's proxy, whose pattern azure-core has made.
     *
     * @param pattern the pattern for a whole host, or {@code null} for none
     */
    static DirectHosts ofPattern(@Nullable String pattern) {
        if (pattern == null) {
            return new DirectHosts(List.of());
        }
        boolean list = pattern.startsWith("(") && pattern.endsWith(")");
        String[] parts = list ? pattern.substring(1, pattern.length() - 1).split("\\)\\|\\(") : new String[] {pattern};
        try {
            return new DirectHosts(
                    Arrays.stream(parts).map(DirectHosts::alternative).toList());
        } catch (PatternSyntaxException e) {
            Pattern whole = Pattern.compile(pattern, Pattern.CASE_INSENSITIVE);
            return new DirectHosts(
                    List.of((host, address, port) -> whole.matcher(host).matches()));
        }
    }

    /** azure-core takes {@code 127.*} for a beginning of names and {@code [::1]} for a set of characters. */
    private static Entry alternative(String regex) {
        byte[] address = bytes(bare(regex.replace("\\.", ".")));
        return address != null
                ? block(address, address.length * Byte.SIZE)
                : matching(
                        Pattern.compile(regex, Pattern.CASE_INSENSITIVE),
                        NUMERIC.matcher(regex).matches());
    }

    /** A numeric pattern means addresses, and no host that happens to begin so. */
    private static Entry matching(Pattern pattern, boolean numeric) {
        return (host, address, port) ->
                (!numeric || address != null) && pattern.matcher(host).matches();
    }

    private static Entry withPort(String text) {
        int colon = text.lastIndexOf(':');
        boolean hasPort = colon > 0
                && (text.indexOf(':') == colon || text.charAt(colon - 1) == ']')
                && text.substring(colon + 1).matches("[0-9]{1,5}");
        Entry named = host(bare(hasPort ? text.substring(0, colon) : text));
        if (!hasPort) {
            return named;
        }
        int only = Integer.parseInt(text.substring(colon + 1));
        return (host, address, port) -> port == only && named.names(host, address, port);
    }

    private static Entry host(String text) {
        int slash = text.indexOf('/');
        byte[] address = bytes(slash < 0 ? text : bare(text.substring(0, slash)));
        if (address != null) {
            return block(address, slash < 0 ? address.length * Byte.SIZE : bits(text.substring(slash + 1)));
        }
        String name = text.startsWith("*.") ? text.substring(2) : text.startsWith(".") ? text.substring(1) : text;
        if (name.indexOf('*') >= 0) {
            return pattern(name);
        }
        return (host, other, port) -> host.equals(name) || host.endsWith("." + name);
    }

    private static Entry pattern(String text) {
        byte[] address = bytes(text);
        if (address != null) {
            return block(address, address.length * Byte.SIZE);
        }
        String regex = Arrays.stream(text.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*"));
        return matching(Pattern.compile(regex), text.matches("[0-9.]+\\.\\*"));
    }

    private static String bare(String host) {
        return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
    }

    private static byte @Nullable [] bytes(String host) {
        return NetUtil.isValidIpV4Address(host) || NetUtil.isValidIpV6Address(host)
                ? NetUtil.createByteArrayFromIpAddressString(host)
                : null;
    }

    /** A length that is none names no address. */
    private static int bits(String text) {
        return text.matches("[0-9]{1,3}") ? Integer.parseInt(text) : Integer.MAX_VALUE;
    }

    private static Entry block(byte[] block, int bits) {
        int rest = block.length * Byte.SIZE - bits;
        return (host, address, port) -> address != null
                && address.length == block.length
                && rest >= 0
                && new BigInteger(1, block)
                                .xor(new BigInteger(1, address))
                                .shiftRight(rest)
                                .signum()
                        == 0;
    }

    /**
     * Returns whether requests to a host go past the proxy.
     *
     * @param host its name or address, in brackets or not
     */
    boolean contain(String host, int port) {
        if (entries.isEmpty()) {
            return false;
        }
        String name = bare(host).toLowerCase(Locale.ROOT);
        byte[] address = bytes(name);
        for (Entry entry : entries) {
            if (entry.names(name, address, port)) {
                return true;
            }
        }
        return false;
    }
}
