package io.stowline.examples.quickstart;

/** A 64-bit hash over every field of a city, and over the borders between them. Not cryptographic. */
final class CityHash {

    private static final long SEED = 0x243F6A8885A308D3L;
    private static final long ODD = 0x9E3779B97F4A7C15L;

    private CityHash() {}

    static long of(City city) {
        long hash = SEED;
        hash = text(hash, city.country());
        hash = text(hash, city.key());
        hash = text(hash, city.name());
        hash = mix(hash, Double.doubleToLongBits(city.latitude()));
        hash = mix(hash, Double.doubleToLongBits(city.longitude()));
        hash = text(hash, city.admin1());
        return text(hash, city.admin2());
    }

    private static long text(long hash, String value) {
        long mixed = mix(hash, value.length());
        for (int i = 0; i < value.length(); i++) {
            mixed = mix(mixed, value.charAt(i));
        }
        return mixed;
    }

    // One multiplication carries a difference upwards only; the shift brings it down again before the next one.
    private static long mix(long hash, long value) {
        long product = (hash ^ value) * ODD;
        return product ^ (product >>> 32);
    }
}
