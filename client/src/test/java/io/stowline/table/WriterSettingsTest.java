package io.stowline.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.Executor;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class WriterSettingsTest {

    private final WriterSettings.Builder settings = WriterSettings.builder();

    private static void refused(ThrowingCallable setter, String name, Object value) {
        assertThatThrownBy(setter)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(name)
                .hasMessageContaining(String.valueOf(value));
    }

    @Test
    @DisplayName("BATCH-7: the defaults are the stated ones")
    void hasDefaults() {
        WriterSettings defaults = WriterSettings.defaults();
        assertThat(defaults.linger()).isEqualTo(Duration.ZERO);
        assertThat(defaults.bufferItems()).isEqualTo(10_000);
        assertThat(defaults.bufferBytes()).isEqualTo(33_554_432);
        assertThat(defaults.submitTimeout()).isEqualTo(Duration.ofSeconds(60));
        assertThat(defaults.closeTimeout()).isEqualTo(Duration.ofMinutes(2));
        assertThat(defaults.coalesce()).isFalse();
        assertThat(defaults.stopEntityOnFailure()).isFalse();
        assertThat(defaults.callbacks()).isNull();
    }

    @Test
    void copiesEverySetting() {
        Executor executor = Runnable::run;
        WriterSettings copy = settings
                .linger(Duration.ofMillis(1))
                .bufferItems(2)
                .bufferBytes(3)
                .submitTimeout(Duration.ofMillis(4))
                .closeTimeout(Duration.ofMillis(5))
                .coalesce(true)
                .stopEntityOnFailure(true)
                .callbacks(executor)
                .build()
                .toBuilder()
                .build();
        assertThat(copy.linger()).isEqualTo(Duration.ofMillis(1));
        assertThat(copy.bufferItems()).isEqualTo(2);
        assertThat(copy.bufferBytes()).isEqualTo(3);
        assertThat(copy.submitTimeout()).isEqualTo(Duration.ofMillis(4));
        assertThat(copy.closeTimeout()).isEqualTo(Duration.ofMillis(5));
        assertThat(copy.coalesce()).isTrue();
        assertThat(copy.stopEntityOnFailure()).isTrue();
        assertThat(copy.callbacks()).isSameAs(executor);
    }

    @Test
    void builtSettingsDoNotFollowTheirBuilder() {
        WriterSettings built = settings.bufferItems(5).build();
        settings.bufferItems(6);
        built.toBuilder().bufferItems(7);
        assertThat(built.bufferItems()).isEqualTo(5);
    }

    @Test
    void refusesWhatIsOutOfRange() {
        refused(() -> settings.linger(Duration.ofMillis(-1)), "linger", "PT-0.001S");
        refused(() -> settings.linger(Duration.ofDays(2)), "linger", "PT48H");
        refused(() -> settings.bufferItems(0), "bufferItems", 0);
        refused(() -> settings.bufferBytes(0), "bufferBytes", 0);
        refused(() -> settings.submitTimeout(Duration.ZERO), "submitTimeout", "PT0S");
        refused(() -> settings.closeTimeout(Duration.ZERO), "closeTimeout", "PT0S");
    }

    @Test
    @DisplayName("BATCH-16: an item has two minutes unless set, and all the time there is in a writer with a journal")
    void hasTimesForTheDelivery() {
        Duration timeout = Duration.ofSeconds(10);
        assertThat(WriterSettings.defaults().deliveryTimeout()).isEqualTo(Duration.ofMinutes(2));
        assertThat(WriterSettings.defaults().endless().deliveryTimeout()).isNull();
        assertThat(WriterSettings.defaults().endless().giveUpAfter()).isNull();
        assertThat(WriterSettings.defaults().endless().warnAtExit()).isFalse();
        assertThat(settings.deliveryTimeout(timeout).build().endless().deliveryTimeout())
                .isEqualTo(timeout);
    }

    @Test
    @DisplayName("BATCH-16: the default leaves two minutes after the longest linger")
    void leavesTimeAfterTheLinger() {
        assertThat(settings.linger(Duration.ofDays(1)).build().deliveryTimeout())
                .isEqualTo(Duration.ofDays(1).plusMinutes(2));
    }

    @Test
    void refusesATimeThatNoItemCouldKeep() {
        refused(() -> settings.deliveryTimeout(Duration.ZERO), "deliveryTimeout", "PT0S");
        assertThatThrownBy(() -> WriterSettings.builder()
                        .linger(Duration.ofSeconds(1))
                        .deliveryTimeout(Duration.ofSeconds(1))
                        .build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("deliveryTimeout must be longer than linger, PT1S, but was PT1S");
    }
}
