package io.stowline.spring.boot.test;

import org.springframework.stereotype.Component;

/** A component of the application that inherits its listener method. */
@Component
class ReturnsDesk extends OrderDesk {}
