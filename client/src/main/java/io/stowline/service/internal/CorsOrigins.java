package io.stowline.service.internal;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The origins that a browser can send (RFC 6454, section 6.1), and the wildcards of the service. The service compares an origin exactly, so that any
 * other one matches no request. Stateless.
 */
final class CorsOrigins {

    private static final String WITHOUT_PAGE = "null";
    private static final String ALL = "*";
    private static final String WILDCARD = "*.";
    private static final int MAX_PORT = 65_535;
    private static final int MAX_OCTET = 255;

    private static final Pattern VISIBLE = Pattern.compile("[!-~&&[^,]]+");
    private static final Pattern ORIGIN = Pattern.compile("([a-z][a-z0-9+.-]*)://([^:\\[\\]]*|\\[[0-9a-f:.]+])(:.*)?");
    private static final Pattern NAME = Pattern.compile("(?:[a-z0-9_-]+\\.)*[a-z0-9_-]+\\.?");
    private static final Pattern OTHER_HOST = Pattern.compile("[A-Za-z0-9_.~-]+");
    private static final Pattern ENDS_WITH_NUMBER = Pattern.compile("(?:.*\\.)?[0-9]+\\.?");
    private static final Pattern IPV4 = Pattern.compile("(?:(?:0|[1-9][0-9]{0,2})(?:\\.(?!$)|$)){4}");
    private static final Pattern PORT = Pattern.compile(":[1-9][0-9]{0,4}");

    private CorsOrigins() {}

    /** Returns why no browser sends an origin; {@code null} if one can. */
    static @Nullable String refusal(String origin) {
        if (origin.equals(ALL) || origin.equals(WITHOUT_PAGE)) {
            return null;
        }
        if (!VISIBLE.matcher(origin).matches()) {
            return "an origin is scheme, host and port in visible ASCII, without a comma";
        }
        int host = origin.indexOf("://") + 3;
        if (host < 3) {
            return "an origin begins with its scheme, such as https://, or is \"*\" or \"null\"";
        }
        if (origin.substring(host).chars().anyMatch(each -> "/?#\\".indexOf(each) >= 0)) {
            return "an origin ends with its host or port, and one with a path, a slash or a query matches no request";
        }
        if (origin.indexOf('@', host) >= 0) {
            return "browsers send an origin without a user";
        }
        if (isOfWeb(origin) && !origin.equals(lowerCase(origin))) {
            return "browsers send schemes and hosts in lower case, and the service compares them exactly: "
                    + lowerCase(origin);
        }
        Matcher parts = ORIGIN.matcher(origin);
        if (!parts.matches()) {
            return "a scheme has small letters and digits, and a host no brackets but those of an IPv6 address";
        }
        String port = parts.group(3);
        return isOfWeb(origin)
                ? refusal(parts.group(1), parts.group(2), port)
                : refusalOfOther(parts.group(1), parts.group(2), port);
    }

    private static boolean isOfWeb(String origin) {
        return origin.regionMatches(true, 0, "https://", 0, 8) || origin.regionMatches(true, 0, "http://", 0, 7);
    }

    /** The locale of this machine does not matter. */
    private static String lowerCase(String ascii) {
        StringBuilder lower = new StringBuilder(ascii.length());
        ascii.chars().forEach(each -> lower.append((char) (each >= 'A' && each <= 'Z' ? each + ('a' - 'A') : each)));
        return lower.toString();
    }

    private static @Nullable String refusal(String scheme, String host, @Nullable String port) {
        String name = host.startsWith(WILDCARD) ? host.substring(WILDCARD.length()) : host;
        if (name.indexOf('*') >= 0) {
            return "a wildcard stands for all origins (\"*\"), or for the names below a host"
                    + " (\"https://*.example.com\")";
        }
        boolean literal = name.startsWith("[");
        if (!literal && !NAME.matcher(name).matches()) {
            return "a host has letters, digits, dots and hyphens; one with others is sent in its ASCII form (xn--..)";
        }
        String unsent = literal ? Ipv6Literal.refusal(name) : null;
        if (unsent != null) {
            return unsent;
        }
        if (!literal && ENDS_WITH_NUMBER.matcher(name).matches() && !isIpv4(name)) {
            return "a host that ends with a number is an IPv4 address, of four numbers from 0 to " + MAX_OCTET;
        }
        if (port == null) {
            return null;
        }
        if (port.equals(scheme.equals("https") ? ":443" : ":80")) {
            return "browsers leave out the port of the scheme: " + scheme + "://" + host;
        }
        return portRefusal(port);
    }

    private static boolean isIpv4(String name) {
        return IPV4.matcher(name).matches()
                && Pattern.compile("\\.").splitAsStream(name).allMatch(part -> Integer.parseInt(part) <= MAX_OCTET);
    }

    private static @Nullable String portRefusal(String port) {
        return PORT.matcher(port).matches() && Integer.parseInt(port.substring(1)) <= MAX_PORT
                ? null
                : "a port is 1 to " + MAX_PORT + ", without zeros before it";
    }

    /** Schemes of extensions and of browsers inside of applications; pages of files have no host. */
    private static @Nullable String refusalOfOther(String scheme, String host, @Nullable String port) {
        if (scheme.equals("file") && host.isEmpty() && port == null) {
            return null;
        }
        if (!OTHER_HOST.matcher(host).matches()) {
            return "a host has letters, digits, dots and hyphens";
        }
        return port == null ? null : portRefusal(port);
    }
}
