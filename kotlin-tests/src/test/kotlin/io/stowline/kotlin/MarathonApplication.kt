package io.stowline.kotlin

import io.stowline.caching.Freshness
import io.stowline.projection.PartitionKey
import io.stowline.projection.RowKey
import io.stowline.queue.MessageQueue
import io.stowline.spring.boot.autoconfigure.StowlineBeans
import io.stowline.table.Table
import org.springframework.boot.autoconfigure.SpringBootApplication
import org.springframework.boot.runApplication
import org.springframework.context.annotation.Import
import org.springframework.stereotype.Service
import java.time.Duration

data class Runner(@PartitionKey val race: String, @RowKey val bib: String, val name: String)

@JvmRecord
data class Order(val bib: String, val item: String)

class Storage : StowlineBeans() {
    override fun declare() {
        table("registrations", Runner::class.java)
        queue("orders", Order::class.java)
    }
}

@Service
class Registrations(private val runners: Table<Runner>, private val orders: MessageQueue<Order>) {
    private val cached = runners.cached(Freshness.fresh(Duration.ofMinutes(1)))

    fun register(runner: Runner) {
        runners.insertOrReplace(runner)
        orders.send(Order(runner.bib, "shirt"))
    }

    fun find(race: String, bib: String): Runner? = cached.find(race, bib).value().map { it.value() }.orElse(null)
}

@SpringBootApplication(proxyBeanMethods = false)
@Import(Storage::class)
class MarathonApplication

fun main(args: Array<String>) {
    runApplication<MarathonApplication>(*args)
}
