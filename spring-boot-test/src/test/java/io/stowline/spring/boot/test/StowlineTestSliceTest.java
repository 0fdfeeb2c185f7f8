package io.stowline.spring.boot.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.blob.BlobContainer;
import io.stowline.queue.MessageQueue;
import io.stowline.spring.boot.test.MarathonApplication.Order;
import io.stowline.spring.boot.test.MarathonApplication.Runner;
import io.stowline.table.Table;
import io.stowline.testkit.Azurite;
import io.stowline.testkit.FaultProxy;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;

@StowlineTest
class StowlineTestSliceTest {

    @Autowired
    Table<Runner> runners;

    @Autowired
    MessageQueue<Order> orders;

    @Autowired
    BlobContainer photos;

    @Autowired
    ApplicationContext context;

    @Test
    void declaredResourcesExistAndWork() {
        runners.insertOrReplace(new Runner("2026", "1", "Ann"));
        orders.send(new Order("o1", 2));

        assertThat(runners.find("2026", "1")).isPresent();
        assertThat(orders.receive()).isPresent();
        assertThat(photos.exists()).isTrue();
    }

    @Test
    void scannedComponentsStayOut() {
        assertThat(context.getBeanProvider(Registrations.class).getIfAvailable())
                .isNull();
    }

    @Test
    void theEmulatorIsABeanAndThereIsNoProxy() {
        assertThat(context.getBean(Azurite.class)).isSameAs(SharedEmulator.azurite());
        assertThat(context.getBeanProvider(FaultProxy.class).getIfAvailable()).isNull();
    }
}
