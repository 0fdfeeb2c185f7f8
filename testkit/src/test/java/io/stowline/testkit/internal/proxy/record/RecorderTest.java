package io.stowline.testkit.internal.proxy.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.testkit.FaultProxy.TrafficStats;
import io.stowline.testkit.RecordedExchange;
import io.stowline.testkit.RecordedExchange.Ending;
import io.stowline.testkit.SentRequest;
import io.stowline.testkit.StorageService;
import io.stowline.testkit.StubResponse;
import io.stowline.testkit.internal.proxy.SkippingWaiter;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

final class RecorderTest {

    private static final int MIB = 1 << 20;

    final SkippingWaiter waiter = new SkippingWaiter();
    final Recorder recorder = new Recorder(100, waiter);

    @Test
    void shortensABodyAboveItsLimit() {
        RecordedEntry entry = recorder.arrived(1, request(8 * MIB), 0);
        recorder.ended(entry, responded(8 * MIB + 1), 0);

        assertThat(recorder.recorded()).singleElement().satisfies(recording -> {
            assertThat(recording.request().bodyLength()).isEqualTo(8 * MIB);
            assertThat(recording.response().orElseThrow().bodyLength()).isEqualTo(8 * MIB);
            assertThat(recording.served().orElseThrow())
                    .isSameAs(recording.response().orElseThrow());
            assertThat(recording.isTruncated()).isTrue();
        });
    }

    @Test
    void keepsBodiesUpToItsLimit() {
        recorder.ended(recorder.arrived(1, request(8 * MIB), 0), responded(8 * MIB), 0);

        assertThat(recorder.recorded().get(0).isTruncated()).isFalse();
        assertThat(recorder.recorded().get(0).response().orElseThrow().bodyLength())
                .isEqualTo(8 * MIB);
    }

    @Test
    void dropsTheBodiesOfTheOldestWhenThereAreTooMany() {
        for (int i = 0; i < 70; i++) {
            recorder.ended(recorder.arrived(i, request(MIB), 0), responded(10), 0);
        }

        assertThat(recorder.recorded()).hasSize(70);
        assertThat(recorder.recorded().stream()
                        .filter(recording -> !recording.isTruncated())
                        .mapToInt(RecordedExchange::connection))
                .first()
                .isEqualTo(7);
        assertThat(recorder.recorded().get(6).request().bodyLength()).isZero();
        assertThat(recorder.recorded().get(7).request().bodyLength()).isEqualTo(MIB);
    }

    @Test
    void makesRoomForBodiesWhenItForgetsExchanges() {
        Recorder small = new Recorder(2, waiter);
        for (int i = 0; i < 70; i++) {
            small.ended(small.arrived(i, request(MIB), 0), responded(10), 0);
        }

        assertThat(small.recorded()).extracting(RecordedExchange::isTruncated).containsExactly(false, false);
    }

    @Test
    void correctsWhatCouldNotBeDelivered() {
        RecordedEntry entry = recorder.arrived(1, request(1), 5);
        recorder.ended(entry, responded(1), 7);

        recorder.undelivered(entry);

        assertThat(recorder.traffic()).isEqualTo(new TrafficStats(0, 1, 0, 5, 7));
        RecordedExchange dropped = recorder.recorded().get(0);
        assertThat(dropped.ending()).isEqualTo(Ending.DROPPED);
        assertThat(dropped.reason()).isEqualTo("the client had gone when it was answered");
        assertThat(dropped.response()).isPresent();
        assertThat(recorder.ended(Ending.RESPONDED)).isZero();
        assertThat(recorder.ended(Ending.DROPPED)).isEqualTo(1);
    }

    @Test
    void countsEndingsOfWhatItNoLongerKeeps() {
        Recorder small = new Recorder(1, waiter);
        small.ended(small.arrived(1, request(1), 0), lost(), 0);
        small.ended(small.arrived(1, request(1), 0), lost(), 0);
        small.arrived(1, request(1), 0);

        assertThat(small.ended(Ending.LOST)).isEqualTo(2);
        assertThat(small.ended(Ending.IN_FLIGHT)).isEqualTo(1);
        small.clear();
        assertThat(small.ended(Ending.LOST)).isZero();
        assertThat(small.ended(Ending.IN_FLIGHT)).isZero();
    }

    @Test
    void sumsUpByService() {
        recorder.connected(StorageService.TABLE);
        recorder.connected(null);
        recorder.ended(recorder.arrived(1, request(1).withService(StorageService.TABLE), 10), responded(1), 20);
        recorder.ended(recorder.arrived(2, request(1), 1), lost(), 0);

        assertThat(recorder.traffic(StorageService.TABLE)).isEqualTo(new TrafficStats(1, 1, 1, 10, 20));
        assertThat(recorder.traffic(StorageService.QUEUE)).isEqualTo(TrafficStats.NONE);
        assertThat(recorder.traffic()).isEqualTo(new TrafficStats(2, 2, 1, 11, 20));
    }

    @Test
    void countsNothingOfWhatItForgot() {
        RecordedEntry underWay = recorder.arrived(1, request(1), 1);
        RecordedEntry responded = recorder.arrived(1, request(1), 1);
        recorder.ended(responded, responded(1), 1);

        recorder.clear();
        recorder.ended(underWay, responded(1), 1);
        recorder.undelivered(responded);

        assertThat(recorder.traffic()).isEqualTo(TrafficStats.NONE);
        assertThat(recorder.recorded()).isEmpty();
    }

    @Test
    void tellsWhenARequestCame() {
        waiter.await(new CountDownLatch(1), 5_000_000);

        recorder.arrived(1, request(1), 0);

        assertThat(recorder.recorded().get(0).arrived()).isEqualTo(Duration.ofMillis(5));
        assertThat(recorder.recorded().get(0).ending()).isEqualTo(Ending.IN_FLIGHT);
    }

    private static SentRequest request(int size) {
        return SentRequest.of("PUT", "/", Map.of(), new byte[size]);
    }

    private static ExchangeResult responded(int size) {
        StubResponse response = StubResponse.of(200).body(new byte[size]);
        return new ExchangeResult(Ending.RESPONDED, "", "", response, response);
    }

    private static ExchangeResult lost() {
        return new ExchangeResult(Ending.LOST, "", "", null, null);
    }
}
