package io.stowline.projection.internal.edm;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class PropertyLimitsTest {

    @Test
    @DisplayName("MAP-3 T20: a string has at most 32,768 UTF-16 characters")
    void refusesALongString() {
        assertThatCode(() -> PropertyLimits.check("note", "é".repeat(32_768))).doesNotThrowAnyException();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PropertyLimits.check("note", "é".repeat(32_769)))
                .withMessageContaining("note")
                .withMessageContaining("32769")
                .withMessageContaining("32768");
    }

    @Test
    @DisplayName("MAP-3 T20: a binary value has at most 65,536 bytes")
    void refusesALongBinary() {
        assertThatCode(() -> PropertyLimits.check("photo", new byte[65_536])).doesNotThrowAnyException();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PropertyLimits.check("photo", new byte[65_537]))
                .withMessageContaining("photo")
                .withMessageContaining("65537")
                .withMessageContaining("65536");
    }

    @Test
    @DisplayName("MAP-3 T20: an entity has at most 252 properties of its own")
    void refusesManyProperties() {
        assertThatCode(() -> PropertyLimits.checkCount(252)).doesNotThrowAnyException();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PropertyLimits.checkCount(253))
                .withMessageContaining("253")
                .withMessageContaining("252");
    }
}
