package io.stowline.spring.boot.test;

import static io.stowline.spring.boot.test.StowlineTest.StorageMode.MEMORY;
import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.Stowline;
import io.stowline.spring.boot.test.MarathonApplication.Order;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.FilterType;

@DisplayName("a slice whose listeners run has the scanned components with listener methods")
class ListenerComponentTest {

    @Nested
    @StowlineTest(storage = MEMORY, listeners = true)
    class Running {

        @Autowired
        Stowline storage;

        @Autowired
        Shipping shipping;

        @Autowired
        ReturnsDesk returns;

        @Autowired
        ObjectProvider<Billing> billing;

        @Test
        void componentsAreThereAndHandle() throws InterruptedException {
            storage.queue(Shipping.QUEUE, Order.class).send(new Order("o1", 1));
            storage.queue(OrderDesk.QUEUE, Order.class).send(new Order("o2", 2));

            assertThat(shipping.shipped.poll(60, TimeUnit.SECONDS)).isEqualTo(new Order("o1", 1));
            assertThat(returns.returned.poll(60, TimeUnit.SECONDS)).isEqualTo(new Order("o2", 2));
        }

        @Test
        void otherComponentsStayOut() {
            assertThat(billing.stream()).isEmpty();
        }
    }

    @Nested
    @StowlineTest(
            storage = MEMORY,
            listeners = true,
            excludeFilters = @Filter(type = FilterType.ASSIGNABLE_TYPE, classes = Shipping.class))
    class Excluded {

        @Autowired
        ObjectProvider<Shipping> shipping;

        @Autowired
        ObjectProvider<ReturnsDesk> returns;

        @Test
        void aFilterKeepsOneOut() {
            assertThat(shipping.stream()).isEmpty();
            assertThat(returns.stream()).hasSize(1);
        }
    }

    @Nested
    @StowlineTest(storage = MEMORY)
    class Stopped {

        @Autowired
        ObjectProvider<Shipping> shipping;

        @Test
        void withoutListenersNoneIsThere() {
            assertThat(shipping.stream()).isEmpty();
        }
    }
}
