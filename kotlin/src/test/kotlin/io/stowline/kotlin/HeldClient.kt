package io.stowline.kotlin

import com.azure.core.http.HttpClient
import com.azure.core.http.HttpRequest
import com.azure.core.http.HttpResponse
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.reactor.mono
import reactor.core.publisher.Mono

/** An HTTP client that holds the requests which a test names, until the test releases or a caller cancels them. */
class HeldClient(private val client: HttpClient) : HttpClient {
    @Volatile
    var held: (HttpRequest) -> Boolean = { false }
    val arrived = CompletableDeferred<HttpRequest>()
    val cancelled = CompletableDeferred<Unit>()
    val released = CompletableDeferred<Unit>()

    override fun send(request: HttpRequest): Mono<HttpResponse> = Mono.defer {
        if (held(request)) {
            arrived.complete(request)
            mono { released.await() }.doOnCancel { cancelled.complete(Unit) }.flatMap { client.send(request) }
        } else {
            client.send(request)
        }
    }
}
