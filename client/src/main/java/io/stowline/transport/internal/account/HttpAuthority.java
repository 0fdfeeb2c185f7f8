package io.stowline.transport.internal.account;

import io.netty.util.NetUtil;
import java.net.IDN;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Host and port of an address of HTTP. Unlike {@link java.net.URI} it takes host names with underscores, which Docker Compose has, and
 * international ones, which it holds in their ASCII form.
 *
 * @param host a name in lower case, an IPv4 address, or an IPv6 address in brackets
 * @param port the port, or -1 for that of the scheme
 */
public record HttpAuthority(String host, int port) {

    private static final int LAST_PORT = 65_535;
    private static final Pattern NAME = Pattern.compile("(?:[a-z0-9_-]{1,63}\\.)*[a-z0-9_-]{1,63}\\.?");
    private static final Pattern LETTERS = Pattern.compile("(?:[A-Za-z0-9_-]{1,63}\\.)*[A-Za-z0-9_-]{1,63}");
    private static final Pattern PORT = Pattern.compile("[0-9]{1,5}");
    private static final int MAX_NAME = 253;
    /** The older form of international names, which Java writes, makes other letters of these. */
    private static final String AMBIGUOUS = "\u00df\u1e9e\u03c2\u200c\u200d";

    /**
     * Reads what stands between the scheme and the path.
     *
     * @throws IllegalArgumentException naming the rule that it breaks; the text is not shown
     */
    public static HttpAuthority of(String text) {
        int colon = text.startsWith("[") ? text.indexOf(':', Math.max(0, text.indexOf(']'))) : text.indexOf(':');
        String host = colon < 0 ? text : text.substring(0, colon);
        String port = colon < 0 ? "" : text.substring(colon + 1);
        return new HttpAuthority(checkedHost(host), port.isEmpty() ? -1 : checkedPort(port));
    }

    private static String checkedHost(String host) {
        if (host.startsWith("[")) {
            if (!host.endsWith("]") || !NetUtil.isValidIpV6Address(host) || host.indexOf('%') >= 0) {
                throw new IllegalArgumentException("its host is no IPv6 address in brackets without a zone");
            }
            return host.toLowerCase(Locale.ROOT);
        }
        // An encoding would leave a name of these letters as it is, and load the tables of Unicode for that.
        String ascii = (LETTERS.matcher(host).matches() ? host : encoded(host)).toLowerCase(Locale.ROOT);
        if (ascii.length() > MAX_NAME || !NAME.matcher(ascii).matches()) {
            throw new IllegalArgumentException(
                    "its host is no name of 1 to 253 letters, digits, hyphens, underscores and dots");
        }
        return ascii;
    }

    private static String encoded(String host) {
        if (host.chars().anyMatch(c -> AMBIGUOUS.indexOf(c) >= 0)) {
            throw new IllegalArgumentException(
                    "its host has a letter that two standards encode differently: give its ASCII form, xn--...");
        }
        try {
            return IDN.toASCII(host);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("its host is no name of the DNS", e);
        }
    }

    private static int checkedPort(String port) {
        int number = PORT.matcher(port).matches() ? Integer.parseInt(port) : -1;
        if (number < 1 || number > LAST_PORT) {
            throw new IllegalArgumentException("its port is not 1 to " + LAST_PORT);
        }
        return number;
    }

    /** Returns whether the host is an IPv6 address. */
    public boolean isIpV6() {
        return host.startsWith("[");
    }

    /** Returns its form in an address. */
    @Override
    public String toString() {
        return port < 0 ? host : String.join(":", host, Integer.toString(port));
    }
}
