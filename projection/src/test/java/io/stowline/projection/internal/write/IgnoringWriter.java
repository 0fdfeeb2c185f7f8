package io.stowline.projection.internal.write;

import java.time.Instant;
import java.util.UUID;

/** Takes every property and keeps none; the base of writers that care about one type. */
public class IgnoringWriter implements PropertyWriter {

    @Override
    public void string(int index, String value) {}

    @Override
    public void bool(int index, boolean value) {}

    @Override
    public void int32(int index, int value) {}

    @Override
    public void int64(int index, long value) {}

    @Override
    public void doubleValue(int index, double value) {}

    @Override
    public void dateTime(int index, Instant value) {}

    @Override
    public void guid(int index, UUID value) {}

    @Override
    public void binary(int index, byte[] value) {}

    @Override
    public void other(String name, Object value) {}
}
