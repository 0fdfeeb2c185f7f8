package io.stowline.testkit.internal.strict.access;

import java.util.regex.Pattern;

/** A range of IPv4 addresses as numbers. */
public record AddressRange(long first, long last) {

    public static final long LOOPBACK = 0x7F00_0001L;
    private static final long HIGHEST = 0xFFFF_FFFFL;
    private static final Pattern ADDRESS = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}");

    /** Reads one address, or two with a dash between; of a text that is neither, all addresses. */
    public static AddressRange of(String text) {
        int dash = text.indexOf('-');
        String from = dash < 0 ? text : text.substring(0, dash);
        String to = dash < 0 ? text : text.substring(dash + 1);
        boolean readable =
                ADDRESS.matcher(from).matches() && ADDRESS.matcher(to).matches();
        return readable ? new AddressRange(number(from), number(to)) : new AddressRange(0, HIGHEST);
    }

    public boolean contains(long address) {
        return first <= address && address <= last;
    }

    private static long number(String address) {
        long number = 0;
        for (String part : address.split("\\.", -1)) {
            number = (number << 8) + Integer.parseInt(part);
        }
        return number;
    }
}
