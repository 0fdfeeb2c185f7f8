package io.stowline.examples.quickstart;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The cities of one country in about 70 bytes each, in the order of their coming. Not thread-safe. */
final class Country {

    private final String code;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final DataOutputStream out = new DataOutputStream(bytes);
    private int size;

    Country(String code) {
        this.code = code;
    }

    String code() {
        return code;
    }

    int size() {
        return size;
    }

    void add(City city) {
        try {
            out.writeUTF(city.key());
            out.writeUTF(city.name());
            out.writeDouble(city.latitude());
            out.writeDouble(city.longitude());
            out.writeUTF(city.admin1());
            out.writeUTF(city.admin2());
        } catch (IOException e) {
            throw new UncheckedIOException("a text of this city of " + code + " is too long", e);
        }
        size++;
    }

    void forEach(Consumer<City> action) {
        Cursor cursor = cursor();
        while (cursor.hasNext()) {
            action.accept(cursor.next());
        }
    }

    Cursor cursor() {
        return new Cursor();
    }

    /** A way through the cities that were there when it was made. */
    final class Cursor {

        private final DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes.toByteArray()));
        private int left = size;

        boolean hasNext() {
            return left > 0;
        }

        /** The next cities, as many as that if there are so many left. */
        List<City> next(int most) {
            int count = Math.min(most, left);
            List<City> cities = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                cities.add(next());
            }
            return cities;
        }

        City next() {
            try {
                left--;
                return new City(
                        code, in.readUTF(), in.readUTF(), in.readDouble(), in.readDouble(), in.readUTF(), in.readUTF());
            } catch (IOException e) {
                throw new UncheckedIOException("the cities of " + code + " cannot be read back from memory", e);
            }
        }
    }
}
