package io.stowline.kotlin

import io.stowline.queue.MessageQueue
import io.stowline.spring.boot.test.StowlineTest
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import org.springframework.beans.factory.annotation.Autowired
import org.springframework.context.annotation.ComponentScan.Filter
import org.springframework.context.annotation.FilterType

@StowlineTest(includeFilters = [Filter(type = FilterType.ASSIGNABLE_TYPE, classes = [Registrations::class])])
class MarathonApplicationTest(
    @param:Autowired private val registrations: Registrations,
    @param:Autowired private val orders: MessageQueue<Order>,
) {
    @Test
    fun `stores, queues and caches`() {
        val ann = Runner("2026", "0001", "Ann")

        registrations.register(ann)

        assertThat(registrations.find("2026", "0001")).isEqualTo(ann)
        assertThat(orders.receive().orElseThrow().body()).isEqualTo(Order("0001", "shirt"))
    }
}
