package io.stowline.examples.registrations;

import io.stowline.spring.boot.test.MemoryDevServices;
import org.springframework.context.annotation.Import;

/** The running service over accounts in its memory: no emulator starts. */
@Import(MemoryDevServices.class)
abstract class MemoryServiceTest extends ServiceTest {}
